import type { User, updateBestTokenRequest } from '@catenary/contracts'
import type * as z from 'zod'
import type { Executor } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import {
  countTokenChains,
  listVisibleChainIds,
  listVisiblePromptIds,
  type TokenRow,
} from './tokens.repository.ts'

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
  executor: Executor,
  { ids, user }: { ids: number[]; user: User },
): Promise<void> {
  const visible = new Set(await listVisibleChainIds(executor, { ids, userId: user.id }))
  if (ids.some((id) => !visible.has(id))) throw new AppError('not_found', 'Chain not found')
}

/** The same of prompts. */
export async function requireVisiblePrompts(
  executor: Executor,
  { ids, user }: { ids: number[]; user: User },
): Promise<void> {
  const visible = new Set(await listVisiblePromptIds(executor, { ids, userId: user.id }))
  if (ids.some((id) => !visible.has(id))) throw new AppError('not_found', 'Prompt not found')
}

/** What a change asks for: all chains, those, or nothing new. An emptied selection never widens by itself (D38). */
export async function toScope(
  executor: Executor,
  { token, fields, user }: ScopeChange,
): Promise<Scope | undefined> {
  const { includedChainIds: ids, includesAllChains: all } = fields
  if (all === true && ids !== undefined && ids.length > 0) {
    throw new AppError('invalid', 'Choose chains or all of them, not both')
  }
  if (all === true) return { includesAllChains: true, chainIds: [] }
  if (ids === undefined) return undefined
  await requireVisibleChains(executor, { ids, user })
  if (ids.length > 0) return { includesAllChains: false, chainIds: ids }
  const isEmptied = !token.includesAllChains && (await countTokenChains(executor, token.id)) === 0
  return isEmptied ? undefined : { includesAllChains: true, chainIds: [] }
}
