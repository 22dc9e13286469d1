import {
  type ChainListItem,
  hiddenChain,
  LIST_TEXT_MAX,
  type ListChainsQuery,
  type User,
} from '@catenary/contracts'
import * as z from 'zod'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../../list-page.ts'
import { withFlags } from '../chain-access.service.ts'
import {
  countChains,
  findChainListState,
  type ListedChainRecord,
  listChainRows,
} from '../chain-lists.repository.ts'
import type { ChainsDeps } from '../chains-deps.ts'

const { id, time: key } = cursorPosition
const CURSOR = defineCursor({ list: 'chains', position: z.strictObject({ key, id }) })

/** What the viewer can see, last updated first; with tag ids only those with any of the tags (D19). Throws `invalid` for a foreign cursor. */
export async function listChains(
  { db }: ChainsDeps,
  { viewer, query }: ListRequest<{ viewer: User | null }, ListChainsQuery>,
): Promise<ListPage<ChainListItem>> {
  const { limit, cursor, ...filter } = query
  const after = CURSOR.read(cursor)
  const listing = { ...listingFor(viewer), ...filter }
  return toPage({
    rows: await listChainRows(db, { ...listing, after, limit: limit + 1 }),
    limit,
    total: after ? undefined : { count: await countChains(db, listing) },
    toItem: (record) => toListItem(record, viewer),
    cursorOf: ({ updatedAt, id }) => CURSOR.write({ key: updatedAt, id }),
  })
}

/** Changes whenever `listChains` may return something else to this viewer, for any query. */
export async function chainListState({ db }: ChainsDeps, viewer: User | null): Promise<string> {
  const state = await findChainListState(db, listingFor(viewer))
  return viewer === null ? state : `${state}.${viewer.id}.${viewer.role}`
}

/** An admin's list also names what an admin may delete but not see. */
function listingFor(viewer: User | null) {
  return { viewerId: viewer?.id, includeHidden: viewer?.role === 'admin' }
}

function toListItem(record: ListedChainRecord, viewer: User | null): ChainListItem {
  const { stepIds, descriptionLength, ...chain } = record
  const shown = withFlags(chain, viewer)
  if (!shown.canView) return { ...shown, ...hiddenChain }
  const clip = descriptionLength > LIST_TEXT_MAX && { descriptionClipped: true as const, descriptionLength }
  return { ...shown, ...clip, steps: stepIds.map((id) => ({ id })) }
}
