import * as z from 'zod'
import { MAX_ID } from '../common.ts'
import type { TokenType } from './tokens.ts'

export const TOKEN_ABILITIES = [
  'read',
  'resolve',
  'run',
  'agent',
  'folder.read',
  'folder.write',
  'evaluate',
  'hook',
] as const
export type TokenAbility = (typeof TOKEN_ABILITIES)[number]

export type TokenScope = TokenAbility | 'prompts' | 'chains' | `prompt:${number}` | `chain:${number}`

const NAMED = /^(prompt|chain):([1-9]\d{0,9})$/
const WORDS: readonly string[] = ['prompts', 'chains', ...TOKEN_ABILITIES]

function isScope(word: string): word is TokenScope {
  const [, , id] = NAMED.exec(word) ?? []
  return id === undefined ? WORDS.includes(word) : Number(id) <= MAX_ID
}

export const tokenScope = z
  .string()
  .max(20)
  .refine(isScope, { error: 'There is no such scope' })
  .describe(
    '`prompt:{id}` and `chain:{id}` reach one; `prompts` and `chains` reach all of its creator’s and those that they accepted (D60). ' +
      '`read` fetches prompts, `resolve` with their variables filled in, `run` runs prompts and chains, `agent` connects to ' +
      'POST /mcp, `folder.read` and `folder.write` pull and push what its creator owns, `evaluate` starts evaluations of it, `hook` has one chain started at POST /hooks/{token}.',
  )

export interface TokenReach {
  includesAllPrompts: boolean
  promptIds: number[]
  includesAllChains: boolean
  chainIds: number[]
}

export function reachOf(scopes: readonly TokenScope[]): TokenReach {
  const idsOf = (kind: 'prompt' | 'chain') =>
    scopes.flatMap((scope) => (scope.startsWith(`${kind}:`) ? Number(scope.slice(kind.length + 1)) : []))
  return {
    includesAllPrompts: scopes.includes('prompts'),
    promptIds: idsOf('prompt'),
    includesAllChains: scopes.includes('chains'),
    chainIds: idsOf('chain'),
  }
}

export const abilitiesOf = (scopes: readonly TokenScope[]): TokenAbility[] =>
  TOKEN_ABILITIES.filter((ability) => scopes.includes(ability))

/** The kind of token that has just these scopes; `scoped` where none has. */
export function kindOfScopes(scopes: readonly TokenScope[]): TokenType {
  const reach = reachOf(scopes)
  const can = abilitiesOf(scopes)
  const has = (...abilities: TokenAbility[]) => abilities.every((ability) => can.includes(ability))
  const hasOnly = (...abilities: TokenAbility[]) => can.every((ability) => abilities.includes(ability))
  const prompts = reach.includesAllPrompts || reach.promptIds.length > 0
  const chains = reach.includesAllChains || reach.chainIds.length > 0
  if (!prompts && chains && has('run') && hasOnly('run'))
    return reach.chainIds.length === 1 ? 'chain' : 'best'
  // A list of read tokens can't express 'all prompts'.
  if (
    prompts &&
    !reach.includesAllPrompts &&
    !chains &&
    has('read', 'resolve') &&
    hasOnly('read', 'resolve', 'run')
  )
    return 'read'
  if ((prompts || chains) && has('agent') && hasOnly('agent')) return 'mcp'
  if (!prompts && !chains && has('folder.read') && hasOnly('folder.read', 'folder.write', 'evaluate'))
    return 'folder'
  if (isHook(scopes)) return 'hook'
  return 'scoped'
}

/** One chain that is started at an address of its own; that opens nothing else. */
export function isHook(scopes: readonly TokenScope[]): boolean {
  const { chainIds } = reachOf(scopes)
  return (
    chainIds.length === 1 &&
    scopes.every((scope) => scope === 'hook' || scope === `chain:${chainIds[0]}`) &&
    scopes.includes('hook')
  )
}

const ascending = (ids: readonly number[]) => [...new Set(ids)].toSorted((a, b) => a - b)

export function scopesOf(
  {
    includesAllPrompts = false,
    promptIds = [],
    includesAllChains = false,
    chainIds = [],
  }: Partial<TokenReach>,
  abilities: readonly TokenAbility[],
): TokenScope[] {
  return [
    ...(includesAllPrompts ? (['prompts'] as const) : []),
    ...ascending(promptIds).map((id) => `prompt:${id}` as const),
    ...(includesAllChains ? (['chains'] as const) : []),
    ...ascending(chainIds).map((id) => `chain:${id}` as const),
    ...TOKEN_ABILITIES.filter((ability) => abilities.includes(ability)),
  ]
}
