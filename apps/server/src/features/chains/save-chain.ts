import type { StepTool, User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import type { SqlContext } from '../../platform/context.ts'
import type { ChainFields, ChainRecord } from './chain-rows.sql.ts'
import { insertChainVersion, type SavedChain, saveChainRow } from './chain-versions.sql.ts'
import { findGuardedTools, hashTools } from './tool-saving.sql.ts'

/** A chain that is locked for a change. */
export interface OpenedChain extends ChainRecord {
  /** What its steps call, which the change may not add to; null: it may. */
  guardedTools: readonly string[] | null
}

interface Wanted {
  chainId: number
  user: User
}

export async function guardTools(
  { db }: SqlContext,
  { chainId, user }: Wanted,
): Promise<OpenedChain['guardedTools']> {
  return user.role === 'admin' ? null : findGuardedTools(db, chainId)
}

interface Save extends Partial<ChainFields> {
  chain: OpenedChain
  user: User
  note?: string | undefined
}

/**
 * Ends each change of a chain, whatever has written its steps: a new revision, and a new version if something changed that
 * versions keep. Throws `forbidden` for a step that calls what none of them called, where only admins may save such.
 */
export async function saveChain(
  ctx: SqlContext<Transaction>,
  { chain: { id, guardedTools }, user, ...fields }: Save,
): Promise<SavedChain> {
  if (guardedTools !== null) {
    const after = await guardTools(ctx, { chainId: id, user })
    requireNoneAdded(guardedTools, after ?? [])
  }
  return saveChainRow(ctx.db, { ...fields, id, authorId: user.id })
}

/** The same for a chain that is new. */
export async function saveNewChain(ctx: SqlContext<Transaction>, { chainId, user }: Wanted): Promise<void> {
  requireNoneAdded([], (await guardTools(ctx, { chainId, user })) ?? [])
  await insertChainVersion(ctx.db, { chainId, authorId: user.id })
}

interface Tools {
  user: User
  /** null: the chain is new. */
  chainId: number | null
  tools: readonly StepTool[]
}

const NO_CHAIN = 0

/** Throws as `saveChain` would for a chain with these calls, before anything is written. */
export async function requireSaveableTools(ctx: SqlContext, { user, chainId, tools }: Tools): Promise<void> {
  if (tools.length === 0) return
  const before = await guardTools(ctx, { chainId: chainId ?? NO_CHAIN, user })
  if (before !== null) requireNoneAdded(before, await hashTools(ctx.db, tools))
}

/** Whether a person may add steps that call services, and change what they call. */
export async function maySaveTools(ctx: SqlContext, user: User): Promise<boolean> {
  return (await guardTools(ctx, { chainId: NO_CHAIN, user })) === null
}

/** A call that stands there twice after the change has to have stood there twice before it. */
function requireNoneAdded(before: readonly string[], after: readonly string[]): void {
  const left = [...before]
  for (const tool of after) {
    const at = left.indexOf(tool)
    if (at === -1)
      throw new AppError('forbidden', 'Only administrators may save steps that call services on this server')
    left.splice(at, 1)
  }
}
