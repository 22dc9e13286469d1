import type { OwnToken, TokenType } from '@catenary/contracts'
import { CONNECT_CLIENTS, type ConnectClientName, type ConnectWay, waysOf } from '@catenary/domain'
import { clientName } from './client-name.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

export const WAYS: Record<TokenType, ConnectWay> = {
  mcp: 'mcp',
  read: 'prompt',
  chain: 'model',
  best: 'model',
  folder: 'folder',
  hook: 'model',
  scoped: 'model',
}

export const USUAL_CLIENTS: Record<ConnectWay, ConnectClientName> = {
  mcp: 'Claude Code',
  model: 'OpenAI SDK',
  prompt: 'Langfuse',
  folder: 'CLI',
}

/** The client that called last, or that the token is named after; the usual one where neither is known. */
export function likelyClient(token: Named | null, way: ConnectWay): ConnectClientName {
  const { lastClient = null, name = '' } = token ?? {}
  const clients = CONNECT_CLIENTS.map((client) => client.name).filter((client) =>
    waysOf(client).includes(way),
  )
  const said = [lastClient === null ? '' : clientName(lastClient), name]
  const found = said.flatMap((text) => clients.filter((client) => hasWords({ text, words: client })))
  return found[0] ?? USUAL_CLIENTS[way]
}

type Named = Pick<OwnToken, 'name' | 'lastClient'>

function hasWords({ text, words }: { text: string; words: string }): boolean {
  return new RegExp(`\\b${words}\\b`, 'i').test(text)
}

/** In this order: curl calls a chain rather than lists an agent's tools. */
const KINDS_OF_CALLERS = ['chain', 'read', 'folder', 'mcp'] as const

/** The kind of token that a client usually comes with. */
export function kindFor(client: ConnectClientName): TokenType {
  const ways = waysOf(client)
  const isAgent = CONNECT_CLIENTS.some(({ name, ...of }) => name === client && 'group' in of)
  return isAgent ? 'mcp' : (KINDS_OF_CALLERS.find((kind) => ways.includes(WAYS[kind])) ?? 'mcp')
}

export function reachOf({ tokenType, prompts, chains }: OwnToken): string {
  if (tokenType === 'chain' || tokenType === 'hook') return '1 chain'
  if (tokenType === 'folder') return 'everything you own'
  const parts = [
    tokenType === 'best' ? null : countOf({ count: prompts, one: 'prompt', many: 'prompts' }),
    tokenType === 'read' ? null : countOf({ count: chains, one: 'chain', many: 'chains' }),
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

function countOf({ count, one, many }: { count: number | null; one: string; many: string }): string | null {
  if (count === null) return `all ${many}`
  return count === 0 ? null : `${count} ${count === 1 ? one : many}`
}

export const isExpired = ({ expiresAt }: Pick<OwnToken, 'expiresAt'>, now = Date.now()): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now

export function endsSoon({ expiresAt }: Pick<OwnToken, 'expiresAt'>, now = Date.now()): boolean {
  return expiresAt !== null && Date.parse(expiresAt) > now && Date.parse(expiresAt) - now < WEEK_MS
}

/** Nothing that came after its last failed call was answered. */
export const hasFailedLast = ({ lastError, lastUsed }: Pick<OwnToken, 'lastError' | 'lastUsed'>): boolean =>
  lastError !== null && (lastUsed === null || lastError.at >= lastUsed)

export function summaryOf(tokens: readonly OwnToken[], now = Date.now()): string {
  const used = tokens.filter(({ lastUsed }) => lastUsed !== null && now - Date.parse(lastUsed) < WEEK_MS)
  return `${tokens.length} ${tokens.length === 1 ? 'token' : 'tokens'}, ${used.length} used this week`
}
