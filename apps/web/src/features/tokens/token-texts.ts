import {
  type BestToken,
  type ChainToken,
  type OwnTokenDetails,
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

export type AnyToken = ChainToken | BestToken | OwnTokenDetails

export type NamedToken = Pick<OwnTokenDetails, 'id' | 'name' | 'tokenType'>

interface KindTexts {
  name: string
  does: string
  purpose: string
}

export const KIND_TEXTS: Record<TokenType, KindTexts> = {
  mcp: {
    name: 'MCP',
    does: 'Connect an agent',
    purpose: 'Claude Code, Codex, Cursor, VS Code: prompts as commands, chains as tools, skills.',
  },
  chain: {
    name: 'Chain',
    does: 'Run one chain',
    purpose: 'Programs call it as if it were a model.',
  },
  best: {
    name: 'Best Chain',
    does: 'Run the chain that fits',
    purpose: 'The best-fitting chain is chosen for each request.',
  },
  read: {
    name: 'Read',
    does: 'Fetch prompts',
    purpose: 'Programs fetch these prompts by name and label.',
  },
  hook: {
    name: 'Own address',
    does: 'Start one chain',
    purpose: 'A form, a ticket system or GitHub starts it by a POST.',
  },
  folder: {
    name: 'Folder',
    does: 'Pull and push a folder',
    purpose: 'Lets the catenary command read everything you own, as files for Git.',
  },
  scoped: {
    name: 'Scoped',
    does: 'Something else',
    purpose: 'Choose each thing that it may do.',
  },
}
export const TOKEN_KINDS = ['mcp', 'chain', 'hook', 'best', 'read', 'folder', 'scoped'] as const

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
  return emptinessOf(token)
}

function emptinessOf(token: AnyToken): string | null {
  if (!('scopes' in token)) return token.tokenType === 'best' && isEmptied(token) ? 'reaches no chain' : null
  const { tokenType, scopes, namedPrompts, namedChains } = token
  const hasPrompts = scopes.includes('prompts') || namedPrompts.length > 0
  const hasChains = scopes.includes('chains') || namedChains.length > 0
  if (tokenType === 'read' && !hasPrompts) return 'reaches no prompt'
  if (tokenType === 'best' && !hasChains) return 'reaches no chain'
  return tokenType === 'mcp' && !hasPrompts && !hasChains ? 'reaches nothing' : null
}

/** Its last chain is deleted, or out of reach: nothing widened it (D38). */
export function isEmptied({ includesAllChains, includedChains }: BestToken): boolean {
  return !includesAllChains && includedChains.length === 0
}
