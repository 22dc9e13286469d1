import type { User, updateBestTokenRequest } from '@catenary/contracts'
import type * as z from 'zod'
import { AppError } from '../../errors.ts'
import type { SqlContext } from '../../platform/context.ts'
import { countTokenChains, listVisibleChainIds, listVisiblePromptIds, type TokenRow } from './tokens.sql.ts'

/** Which chains a Best Chain token may choose from. */
interface Scope {
  includesAllChains: boolean
  chainIds: number[]
}

interface ScopeChange {
  token: TokenRow
  fields: Pick<z.output<typeof updateBestTokenRequest>, 'includedChainIds' | 'includesAllChains'>
  user: User
}

/** Throws `not_found` unless the person sees all of them. */
export async function requireVisibleChains(
  { db }: SqlContext,
  { ids, user }: { ids: number[]; user: User },
): Promise<void> {
  const visible = new Set(await listVisibleChainIds(db, { ids, userId: user.id }))
  if (ids.some((id) => !visible.has(id))) throw new AppError('not_found', 'Chain not found')
}

/** The same of prompts. */
export async function requireVisiblePrompts(
  { db }: SqlContext,
  { ids, user }: { ids: number[]; user: User },
): Promise<void> {
  const visible = new Set(await listVisiblePromptIds(db, { ids, userId: user.id }))
  if (ids.some((id) => !visible.has(id))) throw new AppError('not_found', 'Prompt not found')
}

/** What a change asks for: all chains, those, or nothing new. An emptied selection never widens by itself (D38). */
export async function toScope(
  ctx: SqlContext,
  { token, fields, user }: ScopeChange,
): Promise<Scope | undefined> {
  const { includedChainIds: ids, includesAllChains: all } = fields
  if (all === true && ids !== undefined && ids.length > 0) {
    throw new AppError('invalid', 'Choose chains or all of them, not both')
  }
  if (all === true) return { includesAllChains: true, chainIds: [] }
  if (ids === undefined) return undefined
  await requireVisibleChains(ctx, { ids, user })
  if (ids.length > 0) return { includesAllChains: false, chainIds: ids }
  const isEmptied = !token.includesAllChains && (await countTokenChains(ctx.db, token.id)) === 0
  return isEmptied ? undefined : { includesAllChains: true, chainIds: [] }
}
