import type { OwnToken, TokenScope } from '@catenary/contracts'
import {
  makeFetch,
  makeOwnToken,
  makeTokenDetails,
} from '../../apps/web/src/features/tokens/testing/make-token.ts'
import { tokenDetails } from './token-answers.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()

/** Tokens for agents: busy, for a pipeline, with a long name, expired, reaching nothing any more. */
const agentTokens = [
  {
    ...{ id: 941, name: 'Laptop', token: 'ctm_8dWn', lastUsed: ago(2 * MINUTE_MS), calls: 812 },
    ...{ expiresAt: ago(-85 * DAY_MS), costUsd: 1.412, monthCostUsd: 0.31, monthlyBudgetUsd: 10 },
    ...{ inputTokens: 410_233, outputTokens: 88_120 },
    scopes: ['prompts', 'chain:1', 'chain:2', 'agent'] as TokenScope[],
    namedChains: [
      { id: 1, name: 'Monday digest' },
      { id: 2, name: 'Ticket to answer' },
    ],
    labels: ['production', 'candidate'],
  },
  {
    ...{ id: 942, name: 'CI, Codex', token: 'ctm_Lk3v', lastUsed: ago(18 * MINUTE_MS), calls: 96 },
    expiresAt: ago(-3 * DAY_MS),
    scopes: ['prompt:21', 'agent'] as TokenScope[],
    namedPrompts: [{ id: 21, title: 'Release notes' }],
    namedChains: [],
  },
  {
    ...{ id: 943, token: 'ctm_Qp0r', expiresAt: ago(6 * DAY_MS), lastUsed: ago(9 * DAY_MS), calls: 4 },
    name: 'The agent on the machine under the stairs that nobody remembers and everybody depends on',
  },
  {
    ...{ id: 944, name: 'Cursor', token: 'ctm_77aB', namedChains: [] },
    scopes: ['agent'] as TokenScope[],
    canReveal: false,
  },
].map((fields) => makeTokenDetails({ createdBy: 'grace', createdAt: ago(40 * DAY_MS), ...fields }))

const CLIENTS: Record<number, string> = {
  941: 'Claude Code 2.1.330',
  942: 'codex-mcp-client 0.169.0',
  931: '@langfuse/client 5.11.1',
  901: 'OpenAI/JS 7.57.0',
  943: 'an agent that gives itself a very long name with the version of every part of it 1.2.3.4',
}

/** A token of other scopes than a kind's, with many names. */
const scopedToken = makeTokenDetails({
  tokenType: 'scoped',
  ...{ id: 951, name: 'Release robot', createdBy: 'grace', createdAt: ago(12 * DAY_MS), calls: 31 },
  scopes: [
    ...['prompts', ...Array.from({ length: 40 }, (_, index) => `chain:${index + 1_200}`)],
    ...['read', 'run', 'agent'],
  ] as TokenScope[],
})

/** All of each token. */
export const allDetails = [scopedToken, ...agentTokens, ...tokenDetails]

const countOf = (scopes: readonly TokenScope[], kind: 'prompt' | 'chain') =>
  scopes.includes(`${kind}s`) ? null : scopes.filter((scope) => scope.startsWith(`${kind}:`)).length

/** The same tokens as the list of every kind has them, newest use first. */
export const ownTokens: OwnToken[] = allDetails.map(
  ({ id, tokenType, name, token, createdAt, expiresAt, lastUsed, lastError, canReveal, chainId, scopes }) =>
    makeOwnToken({
      ...{ id, tokenType, name, token, createdAt, expiresAt, lastUsed, lastError, canReveal, chainId },
      prompts: countOf(scopes, 'prompt'),
      chains: countOf(scopes, 'chain'),
      lastClient: CLIENTS[id] ?? null,
    }),
)

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
