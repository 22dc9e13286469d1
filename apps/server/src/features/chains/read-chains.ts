import {
  type Chain,
  type ChainListItem,
  type ChainVersion,
  hiddenChain,
  LIST_TEXT_MAX,
  type ListChainsQuery,
  type ListedChainVersion,
  type User,
} from '@catenary/contracts'
import * as z from 'zod'
import { type AppContext, type SqlContext, transaction } from '../../platform/context.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { requireIdBySlug } from '../library/library.ts'
import { findEditableRecord, groupIdsOf, listVersions, requireVersion } from '../records/records.ts'
import { findVisible, requireChangeable, toChain, toListedStep, withFlags } from './chain-access.ts'
import { countChains, findChainListState, type ListedChainRecord, listChainRows } from './chain-lists.sql.ts'
import type { ChainRecord } from './chain-rows.sql.ts'
import { findOptionalChainVersion, listChainVersionRows } from './chain-versions.sql.ts'
import { findOptionalChain } from './chains.sql.ts'

const { id, time: key } = cursorPosition
const CURSOR = defineCursor({ list: 'chains', position: z.strictObject({ key, id }) })

/** One moment for all reads: a chain never comes with the steps of another revision. */
export const SNAPSHOT = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const

export interface ForUser {
  id: number
  user: User
}

export interface ForViewer {
  id: number
  user: User | null
}

export type ChainRights = Pick<Chain, 'name' | 'canView' | 'canEdit' | 'canExecute'>

export function readChain(ctx: AppContext, { id, user }: ForViewer): Promise<Chain> {
  return transaction(ctx, (ctx) => read(ctx, { id, user }), SNAPSHOT)
}

/** The one that the viewer means by a slug (D48); throws `not_found` alike where there is none. */
export function readChainBySlug(
  ctx: AppContext,
  { slug, user }: { slug: string; user: User | null },
): Promise<Chain> {
  return transaction(
    ctx,
    async (ctx) =>
      read(ctx, { id: await requireIdBySlug(ctx, { kind: 'chain', slug, viewerId: user?.id }), user }),
    SNAPSHOT,
  )
}

async function read(ctx: SqlContext, { id, user }: ForViewer): Promise<Chain> {
  return toChain(ctx, { chain: await findVisible(ctx, { id, user }), viewer: user })
}

export async function requireVisibleChain(
  ctx: SqlContext,
  { id, user }: ForViewer,
): Promise<Pick<ChainRecord, 'id' | 'name' | 'ownerId'>> {
  const { name, ownerId } = await findVisible(ctx, { id, user })
  return { id, name, ownerId }
}

export async function findChainAccess(
  { db }: SqlContext,
  { id, user }: ForUser,
): Promise<ChainRights | undefined> {
  const chain = await findOptionalChain(db, { id, viewerId: user.id })
  if (chain === undefined) return undefined
  const { name, canView, canEdit, canExecute } = withFlags(chain, user)
  return { name, canView, canEdit, canExecute }
}

export async function requireEditable(
  { db }: SqlContext,
  { id, user }: ForUser,
): Promise<Pick<ChainRecord, 'id' | 'name'>> {
  const found = await findOptionalChain(db, { id, viewerId: user.id })
  const { name } = requireChangeable(found, user)
  return { id, name }
}

/** What the viewer can see, last updated first; with tag ids only those with any of the tags (D19). Throws `invalid` for a foreign cursor. */
export async function listChains(
  { db }: AppContext,
  { user: viewer, query }: ListRequest<{ user: User | null }, ListChainsQuery>,
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

export async function chainListState(ctx: AppContext, viewer: User | null): Promise<string> {
  const state = await findChainListState(ctx.db, listingFor(viewer))
  if (viewer === null) return state
  // Of a record whose role came by a group nothing else changes as they leave it.
  const groupIds = await groupIdsOf(ctx, viewer)
  return [state, viewer.id, viewer.role, ...groupIds].join('.')
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

export function listChainVersions(
  ctx: SqlContext,
  { id, user, query }: ListRequest<ForUser>,
): Promise<ListPage<ListedChainVersion>> {
  return listVersions(ctx, {
    kind: 'chain',
    id,
    user,
    query,
    listRows: (part) => listChainVersionRows(ctx.db, part),
  })
}

/** For users who may change the chain, as older versions may predate its becoming public. */
export async function readChainVersion(
  ctx: SqlContext,
  { id, number, user }: ForUser & { number: number },
): Promise<ChainVersion> {
  await findEditableRecord(ctx, { kind: 'chain', id, user })
  const found = requireVersion(await findOptionalChainVersion(ctx.db, { id, number }))
  const steps = found.steps.map((step) => toListedStep(step, { linkedPrompt: null, viewer: user }))
  return { ...found, steps }
}
