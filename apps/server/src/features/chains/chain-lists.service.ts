import {
  type ChainListItem,
  hiddenChain,
  LIST_TEXT_MAX,
  type ListChainsQuery,
  type User,
} from '@catenary/contracts'
import * as z from 'zod'
import type { Database } from '../../db/executor.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import { withFlags } from './chain-access.service.ts'
import {
  countChains,
  findChainListState,
  type ListedChainRecord,
  listChains,
} from './chain-lists.repository.ts'

const { id, time: key } = cursorPosition
const CURSOR = defineCursor({ list: 'chains', position: z.strictObject({ key, id }) })

/** The lists of chains: which, last updated first, and how many there are. */
export function createChainLists({ db }: { db: Database }) {
  return {
    /** What the viewer can see; with tag ids only those with any of the tags (D19). Throws `invalid` for a foreign cursor. */
    async list({
      viewer,
      query,
    }: ListRequest<{ viewer: User | null }, ListChainsQuery>): Promise<ListPage<ChainListItem>> {
      const { limit, cursor, ...filter } = query
      const after = CURSOR.read(cursor)
      const listing = { ...listingFor(viewer), ...filter }
      const records = await listChains(db, { ...listing, after, limit: limit + 1 })
      return toPage({
        rows: records,
        limit,
        total: after ? undefined : { count: await countChains(db, listing) },
        toItem: (record) => toListItem(record, viewer),
        cursorOf: ({ updatedAt, id }) => CURSOR.write({ key: updatedAt, id }),
      })
    },

    /** Changes whenever `list` may return something else to this viewer, for any query. */
    async listState(viewer: User | null): Promise<string> {
      const state = await findChainListState(db, listingFor(viewer))
      return viewer === null ? state : `${state}.${viewer.id}.${viewer.role}`
    },
  }
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
