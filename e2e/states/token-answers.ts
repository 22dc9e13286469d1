import type { BestChainSelection, OwnTokenDetails } from '@catenary/contracts'
import {
  hookDetails,
  makeBestToken,
  makeChainToken,
  makeDelivery,
  makeOffer,
  makeOwnToken,
  makeReadToken,
  makeSelection,
  makeTokenDetails,
  makeTokenRun,
} from '../../apps/web/src/features/tokens/testing/make-token.ts'
import { makePrompt } from '../../apps/web/src/testing/make-prompt.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()

const token = { createdBy: 'grace', chainId: 1 }

/** Tokens of a chain: busy, failing, used up, somebody else's, with a long name, never used. */
export const chainTokens = [
  {
    ...token,
    id: 901,
    name: 'Helpdesk',
    token: 'ctc_9fKq',
    chainLabel: 'production',
    createdAt: ago(23 * DAY_MS),
    lastUsed: ago(4 * MINUTE_MS),
    calls: 1412,
    savedCalls: 318,
    inputTokens: 2_310_442,
    outputTokens: 604_118,
    costUsd: 9.8612,
    monthCostUsd: 4.21,
    monthlyBudgetUsd: 20,
    requestsPerMinute: 60,
    callsAtOnce: 4,
    showsProgress: true,
    previousUntil: ago(-2 * DAY_MS),
    lastError: {
      message: 'Step 3 failed: Anthropic answered 529, overloaded.',
      code: 'overloaded',
      at: ago(9 * DAY_MS),
    },
  },
  {
    ...token,
    id: 902,
    name: 'Claude Code on the laptop that travels between Hamburg, Lisbon and the summer house by the lake',
    token: 'ctc_4Tzx',
    createdAt: ago(4 * DAY_MS),
    lastUsed: ago(12 * MINUTE_MS),
    calls: 37,
    costUsd: 0.7143,
    lastError: {
      message: 'Anthropic answered 529, overloaded.',
      code: 'overloaded',
      at: ago(12 * MINUTE_MS),
    },
  },
  {
    ...token,
    id: 903,
    name: 'Website form',
    token: 'ctc_Q0pe',
    createdBy: 'ines',
    createdAt: ago(20 * DAY_MS),
    lastUsed: ago(DAY_MS),
    calls: 208,
    costUsd: 1.44,
    expiresAt: ago(DAY_MS / 2),
    canReveal: false,
    canEdit: false,
  },
  { ...token, id: 904, name: 'Laptop', token: 'ctc_b27W', createdAt: ago(DAY_MS) },
].map(makeChainToken)

/** Best Chain tokens: all chains, some chains, none any more. */
export const bestTokens = [
  {
    createdBy: 'grace',
    id: 911,
    name: 'Front desk',
    token: 'ctb_7sQm',
    createdAt: ago(9 * DAY_MS),
    lastUsed: ago(2 * MINUTE_MS),
    calls: 640,
    costUsd: 3.1,
    includesAllChains: true,
    threshold: 0.6,
    lastSelection: { chainId: 1, chainName: 'Support answer', confidence: 0.93 },
  },
  {
    createdBy: 'grace',
    id: 912,
    name: 'Intranet search',
    token: 'ctb_Lp02',
    createdAt: ago(30 * DAY_MS),
    lastUsed: ago(DAY_MS),
    calls: 12,
    costUsd: 0.04,
    includedChainIds: [2, 3],
    includedChains: [
      { id: 2, name: 'SQL analyst' },
      { id: 3, name: 'Every objection of the summer, weighed against what we promised in the spring' },
    ],
    lastSelection: { chainId: 2, chainName: 'SQL analyst', confidence: null },
  },
  { createdBy: 'grace', id: 913, name: '', token: '', createdAt: ago(90 * DAY_MS) },
].map((fields) => makeBestToken({ includesAllChains: false, ...fields }))

/** Others' chains: public, an administrator's, shared by name, accepted, with long names and many. */
export const chainOffers = [
  { chainId: 951, chainName: 'Contract check', owner: 'ines' },
  {
    ...{ chainId: 952, chainName: 'House style', owner: 'root', ownerIsAdmin: true },
    description: 'Rewrites a text as this house writes.',
  },
  {
    ...{ chainId: 953, chainName: 'Scan sorter', owner: 'oskar', via: 'share' as const, description: '' },
    acceptedAt: ago(3 * DAY_MS),
  },
  {
    chainId: 954,
    chainName: 'Every objection of the summer, weighed against what we promised in the spring',
    owner: 'the-person-with-the-longest-name-of-all-who-share',
    via: 'share' as const,
    description:
      'Takes a list of objections, finds the promise that each contradicts, and writes a letter to each.',
  },
  ...['Monday digest', 'Release notes', 'Recipe scaler', 'Travel planner'].map((chainName, index) => ({
    ...{ chainId: 960 + index, chainName, owner: 'ines', description: '' },
  })),
].map((fields) => makeOffer(fields))

const scores = [
  { chainId: 1, chainName: 'Support answer', score: 1, shown: true },
  { chainId: 2, chainName: 'SQL analyst', score: 0.62, shown: true },
  {
    chainId: 3,
    chainName: 'Every objection of the summer, weighed against spring',
    score: 0.31,
    shown: true,
  },
  { chainId: 4, chainName: 'Contract to plain words', score: 0.12, shown: true },
  { chainId: 5, chainName: 'Welcome letter', score: 0.05, shown: false },
  { chainId: 6, chainName: 'Release, from commits to mail', score: 0, shown: false },
]
const selection = {
  ...{ tokenId: 911, chainId: 1, scores },
  reasoning: 'A customer complains about an export and wants an answer; no other chain writes to customers.',
}

/** Selections for requests: chosen, asked back, corrected, by words alone. */
export const selections = [
  {
    ...selection,
    id: 921,
    request: 'My export stops at ten thousand rows since Tuesday. What do I tell our auditors on Friday?',
    createdAt: ago(2 * MINUTE_MS),
  },
  {
    ...selection,
    id: 922,
    request: 'Something about the contract or the numbers in it',
    confidence: 0.41,
    reasoning: 'Either the contract or its figures; the request does not say which.',
    asked: true,
    executionId: null,
    createdAt: ago(50 * MINUTE_MS),
  },
  {
    ...selection,
    id: 923,
    request: `How many invitations were sent twice? ${'And what did people write about it? '.repeat(20)}`,
    confidence: 0.71,
    correctedTo: { chainId: 2, chainName: 'SQL analyst' },
    createdAt: ago(DAY_MS),
  },
  {
    ...selection,
    id: 924,
    ...{ tokenId: null, tokenName: 'Old intranet' },
    request: 'Quarterly planning',
    way: 'fallback',
    confidence: null,
    reasoning: 'The model named a chain that it was not shown.',
    createdAt: ago(2 * DAY_MS),
  },
].map((fields) => makeSelection(fields as Partial<BestChainSelection>))

const STATUSES = ['completed', 'failed', 'completed', 'completed', 'cancelled'] as const

/** Runs through a token. */
export const tokenRuns = Array.from({ length: 18 }, (_, index) => {
  const status = index === 0 ? 'running' : (STATUSES[index % STATUSES.length] ?? 'completed')
  return makeTokenRun({
    id: 2180 - index,
    chainId: 1,
    chainName: 'Welcome letter',
    status,
    token: { id: 901, name: 'Helpdesk' },
    apiCall: {
      path: index % 2 === 0 ? '/v1/messages' : '/v1/chat/completions',
      ignored: index === 2 ? ['tools', 'thinking', 'context_management'] : [],
    },
    executedAt: ago(index * 47 * MINUTE_MS),
    executedBy: 'grace',
    stepCount: 2,
    completedSteps: status === 'completed' ? 2 : 1,
    cutSteps: 0,
    error: status === 'failed' ? 'Step 2 “Shorten it”: Anthropic answered 529, overloaded.' : null,
    inputTokens: 1_104 + index,
    outputTokens: 867,
    costUsd: 0.0071,
    durationMs: status === 'running' ? null : 2_000 + ((index * 2_700) % 9_000),
  })
})

const long =
  'What to say to a customer whose parcel went to the summer house by the lake instead of to Lisbon'

/** Read tokens: of one prompt, of some and running them, with a long name and none left. */
export const readTokens = [
  {
    id: 931,
    name: 'Billing service',
    token: 'ctr_4Lmn',
    createdAt: ago(30 * DAY_MS),
    lastUsed: ago(3 * MINUTE_MS),
    calls: 18_204,
    prompts: [{ id: 21, title: 'Answer a complaint' }],
  },
  {
    id: 932,
    name: 'Storefront',
    token: 'ctr_Qq81',
    createdAt: ago(12 * DAY_MS),
    lastUsed: ago(40 * MINUTE_MS),
    mayRun: true,
    calls: 941,
    inputTokens: 81_440,
    outputTokens: 23_118,
    costUsd: 1.2204,
    monthCostUsd: 0.91,
    monthlyBudgetUsd: 5,
    prompts: [
      { id: 22, title: 'Weekly digest' },
      { id: 23, title: long },
    ],
  },
  {
    id: 933,
    name: 'The nightly export that nobody remembers and everybody depends on, from the machine under the stairs',
    token: 'ctr_0zzA',
    createdAt: ago(200 * DAY_MS),
    prompts: [],
  },
].map((fields) => makeReadToken({ createdBy: 'grace', ...fields }))

/** All of each of them that is one's own, as its form asks for it. */
export const tokenDetails: OwnTokenDetails[] = [
  ...chainTokens
    .filter(({ canEdit }) => canEdit)
    .map((token) =>
      makeTokenDetails({
        ...token,
        scopes: [`chain:${token.chainId}`, 'run'],
        namedChains: [{ id: token.chainId, name: 'Monday digest' }],
      }),
    ),
  ...bestTokens.map((token) =>
    makeTokenDetails({
      ...token,
      scopes: [
        ...(token.includesAllChains ? (['chains'] as const) : []),
        ...token.includedChainIds.map((id) => `chain:${id}` as const),
        'run',
      ],
      namedChains: token.includedChains,
    }),
  ),
  ...readTokens.map((token) =>
    makeTokenDetails({
      ...token,
      scopes: [
        ...token.prompts.map(({ id }) => `prompt:${id}` as const),
        'read',
        'resolve',
        ...(token.mayRun ? (['run'] as const) : []),
      ],
      namedPrompts: token.prompts,
      namedChains: [],
    }),
  ),
]

/** The prompt that the first of them reads, and what else it is called. */
export const readPrompt = makePrompt({
  id: 21,
  slug: 'answer-a-complaint',
  title: 'Answer a complaint',
  content: 'Answer $<customer> about $<order_number>, as a person of $<house> would.',
  owner: 'grace',
})
export const aliases = [
  { alias: 'pmpt_68a1b2c3d4e5f60718293a4b5c6d7e8f', createdAt: '2026-11-20T10:00:00.000Z' },
]

/** Runs of prompts through a read token. */
export const promptRuns = Array.from({ length: 6 }, (_, index) =>
  makeTokenRun({
    id: 2261 - index,
    chainId: null,
    promptId: 22 + (index % 2),
    chainName: index % 2 === 0 ? 'Weekly digest' : long,
    token: { id: 932, name: 'Storefront' },
    apiCall: { path: '/v1/responses', ignored: [] },
    executedAt: ago(index * 90 * MINUTE_MS),
    executedBy: 'grace',
    durationMs: 1_400 + index * 600,
  }),
)

const GITHUB = {
  id: 941,
  name: 'GitHub, portal',
  token: 'cth_8Kd2',
  tokenType: 'hook' as const,
  chainId: 1,
  createdAt: ago(23 * DAY_MS),
  lastUsed: ago(4 * MINUTE_MS),
}

/** Addresses of a chain, one with a name that is longer than any, and one that is written from right to left. */
export const hooks = [
  makeOwnToken(GITHUB),
  makeOwnToken({ ...GITHUB, id: 942, name: 'طلبات الدعم من نموذج الموقع' }),
  makeOwnToken({
    ...GITHUB,
    id: 943,
    name: `The form on the page of the branch in ${'Llanfairpwllgwyngyll'.repeat(4)}`,
  }),
]

export const hookOfGithub = hookDetails({
  ...GITHUB,
  createdBy: 'grace',
  fills: [{ kind: 'chain', id: 1, name: 'on_call' }],
})

export const hookOfForm = hookDetails({
  ...GITHUB,
  ...{ id: 942, name: 'طلبات الدعم من نموذج الموقع', signature: null, canReveal: false },
})

export const hookRuns = [
  makeTokenRun({ id: 412, status: 'running', durationMs: null, costUsd: null }),
  makeTokenRun({ id: 411, durationMs: 6_800, costUsd: 0.021 }),
  makeTokenRun({ id: 410, status: 'failed', error: 'Step 2 failed.', durationMs: 2_100, costUsd: 0.004 }),
]

export const deliveries = [
  makeDelivery({ id: 54, at: ago(4 * MINUTE_MS) }),
  makeDelivery({
    ...{ id: 53, executionId: 411, deliveryId: '0b91e5c4-d2a0-11f0-9c1d-2f6a4be7d018', repeats: 2 },
    ...{ at: ago(36 * MINUTE_MS), lastAt: ago(35 * MINUTE_MS) },
  }),
  makeDelivery({
    ...{ id: 52, at: ago(69 * MINUTE_MS), address: '203.0.113.77', deliveryId: null, executionId: null },
    ...{ status: 401, reason: 'The signature is wrong' },
  }),
  makeDelivery({
    ...{ id: 51, at: ago(138 * MINUTE_MS), address: '2001:db8:85a3:8d3:1319:8a2e:370:7348' },
    ...{ deliveryId: 'c'.repeat(255), executionId: 410 },
  }),
  makeDelivery({
    ...{ id: 50, at: ago(200 * MINUTE_MS), executionId: null, status: 429 },
    reason: 'This token allows 60 requests a minute. Try again in 12 s.',
  }),
]

const ISSUE = {
  action: 'opened',
  issue: {
    number: 1482,
    title: 'Sign-in answers 500 since Friday’s release',
    user: { login: 'halden-marine' },
    html_url: 'https://github.com/halden/portal/issues/1482',
    labels: [{ name: 'bug' }, { name: 'عاجل' }],
  },
}
export const hookInput = JSON.stringify(ISSUE)
