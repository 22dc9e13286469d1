import {
  type BestToken,
  type ChainToken,
  type FolderToken,
  type McpToken,
  type ReadToken,
  type ScopedToken,
  TOKEN_TEXTS,
  type TokenType,
} from '@catenary/contracts'
import { formatTime } from '../../lib/text/format-time.ts'
import { readyNumberOf } from '../../lib/text/number-of.ts'

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 0,
})

export type AnyToken = ChainToken | BestToken | ReadToken | McpToken | FolderToken | ScopedToken

/** Those that have a form of their own; tokens of other mixtures of scopes come from the API. */
export type TokenFormKind = Exclude<TokenType, 'scoped'>

export interface NamedToken {
  id: number
  tokenType: TokenType
  name: string
}

export const KIND_TEXTS: Record<TokenType, { name: string; noun: string }> = {
  mcp: { name: 'MCP', noun: 'MCP Token' },
  read: { name: 'Read', noun: 'Read Token' },
  chain: { name: 'Chain', noun: 'API Token' },
  best: { name: 'Best Chain', noun: 'Best Chain API Token' },
  folder: { name: 'Folder', noun: 'Folder Token' },
  scoped: { name: 'Scoped', noun: 'Token' },
}

export function nameOf({ name }: Pick<AnyToken, 'name'>): string {
  return name.trim() === '' ? TOKEN_TEXTS.unnamed : name
}

export function prefixOf({ token }: Pick<AnyToken, 'token'>): string {
  return token === '' ? TOKEN_TEXTS.hidden : `${token}…`
}

interface Limits {
  expiresAt: string | null
  requestsPerMinute: string | number | null
  callsAtOnce: string | number | null
  monthlyBudgetUsd: string | number | null
}

export function describeLimits({ limits, timeZone }: { limits: Limits; timeZone: string }): string {
  const { expiresAt, requestsPerMinute, callsAtOnce, monthlyBudgetUsd } = limits
  const parts = [
    expiresAt !== null && `until ${formatTime({ time: expiresAt, as: 'day', timeZone })}`,
    said(requestsPerMinute, (count) => `${count.toLocaleString('en')} a minute`),
    said(callsAtOnce, (count) => `${count.toLocaleString('en')} at once`),
    said(monthlyBudgetUsd, (usd) => `${dollars.format(usd)} a month`),
  ].filter(Boolean)
  return parts.length === 0 ? 'no limits' : parts.join(' · ')
}

function said(limit: string | number | null, words: (limit: number) => string): string | false {
  const number = typeof limit === 'string' ? readyNumberOf(limit) : (limit ?? undefined)
  return number !== undefined && words(number)
}

export function unusableReason(token: AnyToken, now = Date.now()): string | null {
  if (token.expiresAt !== null && Date.parse(token.expiresAt) <= now) return 'expired'
  const { monthlyBudgetUsd, monthCostUsd } = token
  if (monthlyBudgetUsd !== null && monthCostUsd !== null && monthCostUsd >= monthlyBudgetUsd)
    return 'budget used up'
  if (token.tokenType === 'read') return token.prompts.length === 0 ? 'reaches no prompt' : null
  if (token.tokenType === 'mcp') return isEmptiedForAgents(token) ? 'reaches nothing' : null
  return token.tokenType === 'best' && isEmptied(token) ? 'reaches no chain' : null
}

/** Its last chain is deleted, or out of reach: nothing widened it (D38). */
export function isEmptied({ includesAllChains, includedChains }: BestToken): boolean {
  return !includesAllChains && includedChains.length === 0
}

function isEmptiedForAgents({ allPrompts, prompts, allChains, chains }: McpToken): boolean {
  return !allPrompts && !allChains && prompts.length + chains.length === 0
}
