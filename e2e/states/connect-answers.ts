import type { OwnToken, ScopedToken } from '@catenary/contracts'
import {
  makeFetch,
  makeMcpToken,
  makeOwnToken,
  makeScopedToken,
} from '../../apps/web/src/features/tokens/testing/make-token.ts'
import { bestTokens, chainTokens, readTokens } from './token-answers.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()

/** Tokens for agents: busy, for a pipeline, with a long name, expired, reaching nothing any more. */
export const mcpTokens = [
  {
    ...{ id: 941, name: 'Laptop', token: 'ctm_8dWn', lastUsed: ago(2 * MINUTE_MS), calls: 812 },
    ...{ expiresAt: ago(-85 * DAY_MS), costUsd: 1.412, monthCostUsd: 0.31, monthlyBudgetUsd: 10 },
    ...{ inputTokens: 410_233, outputTokens: 88_120 },
    chains: [
      { id: 1, name: 'Monday digest' },
      { id: 2, name: 'Ticket to answer' },
    ],
    labels: ['production', 'candidate'],
  },
  {
    ...{ id: 942, name: 'CI, Codex', token: 'ctm_Lk3v', lastUsed: ago(18 * MINUTE_MS), calls: 96 },
    ...{
      expiresAt: ago(-3 * DAY_MS),
      allPrompts: false,
      prompts: [{ id: 21, title: 'Release notes' }],
      chains: [],
    },
  },
  {
    ...{ id: 943, token: 'ctm_Qp0r', expiresAt: ago(6 * DAY_MS), lastUsed: ago(9 * DAY_MS), calls: 4 },
    name: 'The agent on the machine under the stairs that nobody remembers and everybody depends on',
  },
  {
    ...{ id: 944, name: 'Cursor', token: 'ctm_77aB', allPrompts: false, prompts: [], chains: [] },
    canReveal: false,
  },
].map((fields) => makeMcpToken({ createdBy: 'grace', createdAt: ago(40 * DAY_MS), ...fields }))

const CLIENTS: Record<number, string> = {
  941: 'Claude Code 2.1.330',
  942: 'codex-mcp-client 0.169.0',
  931: '@langfuse/client 5.11.1',
  901: 'OpenAI/JS 7.57.0',
  943: 'an agent that gives itself a very long name with the version of every part of it 1.2.3.4',
}

/** A token of other scopes than a kind's, with many names. */
export const scopedToken = makeScopedToken({
  ...{ id: 951, name: 'Release robot', createdBy: 'grace', createdAt: ago(12 * DAY_MS), calls: 31 },
  scopes: [
    ...['prompts', ...Array.from({ length: 40 }, (_, index) => `chain:${index + 1_200}`)],
    ...['read', 'run', 'agent'],
  ] as ScopedToken['scopes'],
})

/** The same tokens as the list of every kind has them, newest use first. */
export const ownTokens: OwnToken[] = [
  { token: scopedToken, prompts: null, chains: 40 },
  ...mcpTokens.map((token) => ({
    token,
    prompts: token.allPrompts ? null : token.prompts.length,
    chains: token.allChains ? null : token.chains.length,
  })),
  ...readTokens.map((token) => ({ token, prompts: token.prompts.length, chains: 0 })),
  // One of them is another person's.
  ...chainTokens.filter(({ canEdit }) => canEdit).map((token) => ({ token, prompts: 0, chains: 1 })),
  ...bestTokens.map((token) => ({
    token,
    prompts: 0,
    chains: token.includesAllChains ? null : token.includedChains.length,
  })),
].map(({ token, prompts, chains }) => {
  const { id, tokenType, name, createdAt, expiresAt, lastUsed, lastError, canReveal } = token
  return makeOwnToken({
    ...{ id, tokenType, name, createdAt, expiresAt, lastUsed, lastError, canReveal, prompts, chains },
    token: token.token,
    chainId: token.tokenType === 'chain' ? token.chainId : null,
    lastClient: CLIENTS[id] ?? null,
  })
})

const named = (names: readonly string[]) => ({
  count: names.length,
  names: names.map((name, index) => ({ id: index + 1, name, title: name.replaceAll('_', ' ') })),
})

/** What the first of them lists. */
export const laptopSees = {
  prompts: named([
    ...['code-review', 'release-notes', 'triage-ticket', 'launch-mail', 'tone-check', 'sql-from-question'],
    'what-to-say-to-a-customer-whose-parcel-went-to-the-summer-house',
    ...['meeting-minutes', 'weekly-digest', 'translate-politely', 'bug-report'],
  ]),
  chains: named(['chain_monday_digest', 'chain_ticket_to_answer']),
  skills: named(['house-style', 'incident-report', 'db-migration']),
}
export const seesNothing = { prompts: named([]), chains: named([]), skills: named([]) }

/** Who fetched what: by label and number, often, a skill, with long names, through a token that is gone. */
export const fetches = [
  { client: 'Claude Code 2.1.330', slug: 'code-review', count: 14, lastAt: ago(2 * MINUTE_MS) },
  {
    ...{ client: 'codex-mcp-client 0.169.0', tokenId: 942, tokenName: 'CI, Codex', slug: 'release-notes' },
    ...{ version: 12, lastAt: ago(18 * MINUTE_MS) },
  },
  {
    ...{ client: 'cursor-vscode 3.4.0', slug: 'house-style', kind: 'skill' as const, label: 'candidate' },
    ...{ version: 3, lastAt: ago(DAY_MS) },
  },
  {
    ...{ client: '@langfuse/client 5.11.1', tokenId: 931, tokenName: 'Billing service' },
    ...{ slug: 'answer-a-complaint', count: 18_204, label: null, version: 8, lastAt: ago(DAY_MS) },
  },
  {
    client: 'an agent that gives itself a very long name with the version of every part of it 1.2.3.4',
    ...{ tokenId: null, tokenName: null, slug: 'what-to-say-to-a-customer-whose-parcel-went-elsewhere' },
    ...{ version: 1204, label: 'the-label-with-the-longest-name', lastAt: ago(6 * DAY_MS) },
  },
  { client: '', slug: 'tone-check', version: 1, label: 'latest', lastAt: ago(9 * DAY_MS) },
].map((fields, index) => makeFetch({ id: 700 - index, person: 'grace', tokenId: 941, ...fields }))
