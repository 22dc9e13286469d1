import type {
  BestChainSelection,
  BestToken,
  ChainOffer,
  ChainToken,
  HookDelivery,
  OwnToken,
  OwnTokenDetails,
  PromptFetch,
  ReadToken,
  TokenRun,
} from '@catenary/contracts'

const shared = {
  token: 'ctc_9fKq',
  createdBy: 'ada',
  createdAt: '2026-10-30T10:00:00.000Z',
  expiresAt: null,
  requestsPerMinute: null,
  callsAtOnce: null,
  monthlyBudgetUsd: null,
  lastUsed: null,
  calls: 0,
  savedCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  monthCostUsd: 0,
  lastError: null,
  previousUntil: null,
  fills: [],
  asksToFill: [],
  sends: [],
  asksToSend: [],
  canReveal: true,
  canEdit: true,
  canDelete: true,
}

const switches = { answersHelperJobs: true, showsProgress: false }

/** A token of chain 12. */
export function makeChainToken(fields: Partial<ChainToken> = {}): ChainToken {
  const own = { id: 5, name: 'Helpdesk', tokenType: 'chain', chainId: 12, chainLabel: null } as const
  return { ...shared, ...switches, ...own, ...fields }
}

/** A Best Chain token. */
export function makeBestToken(fields: Partial<BestToken> = {}): BestToken {
  return {
    ...shared,
    ...switches,
    id: 8,
    name: 'Front desk',
    token: 'ctb_7sQm',
    tokenType: 'best',
    includesAllChains: true,
    includedChainIds: [],
    includedChains: [],
    threshold: null,
    lastSelection: null,
    ...fields,
  }
}

/** A read token of one prompt. */
export function makeReadToken(fields: Partial<ReadToken> = {}): ReadToken {
  return {
    ...shared,
    id: 6,
    name: 'Billing service',
    token: 'ctr_4Lmn',
    tokenType: 'read',
    mayRun: false,
    prompts: [{ id: 21, title: 'Answer a complaint' }],
    ...fields,
  }
}

/** All of a token; unless said otherwise one for agents, of all prompts and one chain. */
export function makeTokenDetails(fields: Partial<OwnTokenDetails> = {}): OwnTokenDetails {
  return {
    ...shared,
    ...switches,
    id: 4,
    name: 'Laptop',
    token: 'ctm_8dWn',
    tokenType: 'mcp',
    scopes: ['prompts', 'chain:12', 'agent'],
    chainId: null,
    chainLabel: null,
    threshold: null,
    labels: [],
    signature: null,
    deliveryHeader: null,
    namedPrompts: [],
    namedChains: [{ id: 12, name: 'Support answer' }],
    ...fields,
  }
}

/** All of the read token of one prompt. */
export const readDetails = (fields: Partial<OwnTokenDetails> = {}): OwnTokenDetails =>
  makeTokenDetails({
    id: 6,
    name: 'Billing service',
    token: 'ctr_4Lmn',
    tokenType: 'read',
    scopes: ['prompt:21', 'read', 'resolve'],
    namedPrompts: [{ id: 21, title: 'Answer a complaint' }],
    namedChains: [],
    ...fields,
  })

/** All of the token of chain 12. */
export const chainDetails = (fields: Partial<OwnTokenDetails> = {}): OwnTokenDetails =>
  makeTokenDetails({
    id: 5,
    name: 'Helpdesk',
    token: 'ctc_9fKq',
    tokenType: 'chain',
    scopes: ['chain:12', 'run'],
    chainId: 12,
    ...fields,
  })

/** All of the Best Chain token. */
export const bestDetails = (fields: Partial<OwnTokenDetails> = {}): OwnTokenDetails =>
  makeTokenDetails({
    id: 8,
    name: 'Front desk',
    token: 'ctb_7sQm',
    tokenType: 'best',
    scopes: ['chains', 'run'],
    namedChains: [],
    ...fields,
  })

/** All of the own address of chain 12, signed as GitHub signs. */
export const hookDetails = (fields: Partial<OwnTokenDetails> = {}): OwnTokenDetails =>
  makeTokenDetails({
    id: 9,
    name: 'GitHub, portal',
    token: 'cth_8Kd2',
    tokenType: 'hook',
    scopes: ['chain:12', 'hook'],
    chainId: 12,
    signature: { form: 'github', header: 'X-Hub-Signature-256', setAt: '2026-02-12T10:00:00.000Z' },
    ...fields,
  })

/** What came in at address 9, and began run 412. */
export function makeDelivery(fields: Partial<HookDelivery> = {}): HookDelivery {
  return {
    id: 51,
    at: '2026-11-01T10:52:00.000Z',
    address: '198.51.100.14',
    deliveryId: '5f2c1a70-d2a4-11f0-8e6b-7b1f0c3d9a52',
    status: 202,
    reason: null,
    executionId: 412,
    repeats: 0,
    lastAt: '2026-11-01T10:52:00.000Z',
    ...fields,
  }
}

/** A token as the list of every kind has it. */
export function makeOwnToken(fields: Partial<OwnToken> = {}): OwnToken {
  const { createdAt, expiresAt, lastUsed, lastError, canReveal } = shared
  return {
    ...{ id: 4, name: 'Laptop', token: 'ctm_8dWn', tokenType: 'mcp' },
    ...{ createdAt, expiresAt, lastUsed, lastError, canReveal },
    ...{ lastClient: null, chainId: null, prompts: null, chains: 1 },
    ...fields,
  }
}

/** Claude Code fetched a prompt through token 4. */
export function makeFetch(fields: Partial<PromptFetch> = {}): PromptFetch {
  return {
    id: 71,
    kind: 'prompt',
    promptId: 21,
    slug: 'answer-a-complaint',
    title: 'Answer a complaint',
    version: 7,
    label: 'production',
    client: 'Claude Code 2.1.330',
    person: 'ada',
    tokenId: 4,
    tokenName: 'Laptop',
    count: 1,
    firstAt: '2026-11-21T09:42:00.000Z',
    lastAt: '2026-11-21T09:42:00.000Z',
    ...fields,
  }
}

/** The selection for a request through token 8: chain 12, by the model. */
export function makeSelection(fields: Partial<BestChainSelection> = {}): BestChainSelection {
  return {
    id: 31,
    tokenId: 8,
    tokenName: 'Front desk',
    request: 'My export stops at ten thousand rows.',
    chainId: 12,
    chainName: 'Support answer',
    way: 'judge',
    confidence: 0.93,
    bestScore: 0.71,
    reasoning: 'It is a complaint that wants an answer.',
    scores: [
      { chainId: 12, chainName: 'Support answer', score: 1, shown: true },
      { chainId: 13, chainName: 'SQL analyst', score: 0.4, shown: true },
    ],
    asked: false,
    executionId: 218,
    costUsd: 0.0002,
    correctedTo: null,
    createdAt: '2026-11-21T09:42:00.000Z',
    ...fields,
  }
}

/** Another's public chain, which is only offered. */
export function makeOffer(fields: Partial<ChainOffer> = {}): ChainOffer {
  return {
    chainId: 51,
    chainName: 'Contract check',
    description: 'Reads a contract and marks the risks.',
    owner: 'ines',
    ownerIsAdmin: false,
    via: 'public',
    acceptedAt: null,
    fills: null,
    asksToFill: [],
    sends: null,
    asksToSend: [],
    ...fields,
  }
}

/** A run of chain 12 through a token. */
export function makeTokenRun(fields: Partial<TokenRun> = {}): TokenRun {
  return {
    id: 218,
    chainId: 12,
    promptId: null,
    chainName: 'Support answer',
    chainVersion: 4,
    chainLabel: null,
    status: 'completed',
    trigger: 'token',
    token: { id: 5, name: 'Helpdesk' },
    apiCall: { path: '/v1/messages', ignored: ['tools', 'thinking'] },
    executedAt: '2026-11-21T09:42:00.000Z',
    finishedAt: null,
    executedBy: 'ada',
    stepCount: 1,
    completedSteps: 1,
    cutSteps: 0,
    error: null,
    ...{ canResume: false, canStop: true, sight: 'own', isSeenByEditors: false },
    ...{ usesPrivateValues: false, sharing: 'none' },
    inputTokens: 1000,
    outputTokens: 971,
    costUsd: 0.0071,
    cachedTokens: null,
    savedUsd: null,
    durationMs: 7700,
    ...fields,
  }
}
