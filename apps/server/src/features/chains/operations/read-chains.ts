import type { Chain, User } from '@catenary/contracts'
import type { Executor } from '../../../db/executor.ts'
import { requireIdBySlug } from '../../library/library.ts'
import { findVisible, requireChangeable, toChain, withFlags } from '../chain-access.service.ts'
import type { ChainRecord } from '../chain-record.ts'
import { findOptionalChain } from '../chains.repository.ts'
import type { ChainsDeps } from '../chains-deps.ts'

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

/** Throws `not_found` for a chain that the viewer can't see. */
export function readChain({ db }: ChainsDeps, { id, user }: ForViewer): Promise<Chain> {
  return db.transaction((tx) => read(tx, { id, user }), SNAPSHOT)
}

/** The one that the viewer means by a slug (D48); throws `not_found` alike where there is none. */
export function readChainBySlug(
  { db }: ChainsDeps,
  { slug, user }: { slug: string; user: User | null },
): Promise<Chain> {
  return db.transaction(
    async (tx) =>
      read(tx, { id: await requireIdBySlug({ db: tx }, { kind: 'chain', slug, viewerId: user?.id }), user }),
    SNAPSHOT,
  )
}

async function read(executor: Executor, { id, user }: ForViewer): Promise<Chain> {
  return toChain(executor, { chain: await findVisible(executor, { id, user }), viewer: user })
}

/** Throws `not_found` for a chain that the person can't see. */
export async function requireVisibleChain(
  { db }: ChainsDeps,
  { id, user }: ForViewer,
): Promise<Pick<ChainRecord, 'id' | 'name' | 'ownerId'>> {
  const { name, ownerId } = await findVisible(db, { id, user })
  return { id, name, ownerId }
}

/** What the person may do with the chain now, in the caller's transaction; undefined where there is none. */
export async function findChainAccess(
  executor: Executor,
  { id, user }: ForUser,
): Promise<ChainRights | undefined> {
  const chain = await findOptionalChain(executor, { id, viewerId: user.id })
  if (chain === undefined) return undefined
  const { name, canView, canEdit, canExecute } = withFlags(chain, user)
  return { name, canView, canEdit, canExecute }
}

/** Throws `not_found`, or `forbidden` for a chain that the person sees and may not change. */
export async function requireEditable(
  executor: Executor,
  { id, user }: ForUser,
): Promise<Pick<ChainRecord, 'id' | 'name'>> {
  const found = await findOptionalChain(executor, { id, viewerId: user.id })
  const { name } = requireChangeable(found, user)
  return { id, name }
}
