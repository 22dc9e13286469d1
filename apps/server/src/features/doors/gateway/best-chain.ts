import type { BestChainChoice, SELECTION_WAYS } from '@catenary/contracts'
import { SELECTION_REQUEST_LENGTH } from '@catenary/contracts'
import { lexicalConfidence, rankChains } from '@catenary/domain'
import type { Context } from '../../../platform/context.ts'
import { addUse, type Grant, recordSelection } from '../../tokens/tokens.ts'
import type { ReachableChain } from './gateway.sql.ts'
import { findJudge, type JudgeUsage } from './judge.ts'
import type { ChainRequest } from './wires/wire.ts'

/** Up to this many chains, the judge sees all of them; beyond that, the best lexical matches. */
const ALL_SHOWN = 20
const BEST_SHOWN = 8
/** If no chain's words fit better than this, the judge is shown as many as are allowed. */
const LOW_SCORE = 2
const SHOWN_MAX = 100
const NAMED_MAX = 3
const UNJUDGED: JudgeUsage = { costNanos: null, savedNanos: null }
const OR = new Intl.ListFormat('en', { type: 'disjunction' })

export interface Choice {
  chain: ReachableChain
  /** Asked in place of an answer; nothing runs. */
  question: string | undefined
  reply: BestChainChoice
  record(executionId: number | null): Promise<void>
}

interface Asked {
  grant: Grant
  request: Pick<ChainRequest, 'messages'>
}

interface Scored {
  chain: ReachableChain
  /** From 0 to 1, relative to the best chain. */
  score: number
  shown: boolean
}

interface Decision extends JudgeUsage {
  chain: ReachableChain
  way: (typeof SELECTION_WAYS)[number]
  confidence: number | null
  bestScore: number | null
  reasoning: string
}

export function chooseNamed(ctx: Context, { chain, ...asked }: Asked & { chain: ReachableChain }): Choice {
  return toChoice(ctx, asked, {
    scored: [{ chain, score: 1, shown: false }],
    decision: {
      chain,
      way: 'named',
      confidence: null,
      bestScore: null,
      ...UNJUDGED,
      reasoning: 'The request named it',
    },
  })
}

/** The chain that fits a request best: by words, and by a model where one is set up (D40, D45). */
export async function chooseBest(
  ctx: Context,
  { candidates, signal, ...asked }: Asked & { candidates: ReachableChain[]; signal: AbortSignal },
): Promise<Choice> {
  const byId = new Map(candidates.map((chain) => [chain.id, chain]))
  const ranked = rankChains(textOf(asked.request), candidates)
  const best = ranked[0]?.score ?? 0
  const isShort = candidates.length > ALL_SHOWN && best >= LOW_SCORE
  const shownMost = isShort ? BEST_SHOWN : SHOWN_MAX
  const scored = ranked.flatMap(({ id, score }, index): Scored[] => {
    const chain = byId.get(id)
    const share = best === 0 ? 0 : score / best
    return chain === undefined ? [] : [{ chain, score: share, shown: index < shownMost }]
  })
  const first = scored[0]?.chain
  if (first === undefined) throw new Error('there is a chain to choose')
  const words = lexicalConfidence(ranked)
  const decision = await decide(ctx, { ...asked, scored, first, words, signal })
  return toChoice(ctx, asked, { scored, decision })
}

interface Undecided extends Asked {
  scored: Scored[]
  first: ReachableChain
  words: ReturnType<typeof lexicalConfidence>
  signal: AbortSignal
}

async function decide(
  ctx: Context,
  { grant, request, scored, first, words, signal }: Undecided,
): Promise<Decision> {
  const byWords = { chain: first, ...words, ...UNJUDGED }
  if (scored.length === 1 && grant.threshold === null) {
    return { ...byWords, way: 'only', confidence: 1, reasoning: 'There is only one chain to choose from' }
  }
  const judge = findJudge(ctx, grant.user)
  if (judge === undefined) {
    return { ...byWords, way: 'lexical', reasoning: 'Keyword match: no model is set up to choose' }
  }
  const shown = scored.flatMap(({ chain, shown: isShown }) => (isShown ? [chain] : []))
  const verdict = await judge({ request: textOf(request), chains: shown, signal })
  const { usage } = verdict
  if (usage.costNanos !== null) addUse(ctx, { tokenId: grant.tokenId, costNanos: usage.costNanos })
  if (verdict.judgement === undefined) {
    const reasoning = `${verdict.reason}: keyword match`
    return { ...byWords, way: 'fallback', reasoning, ...usage }
  }
  const { chainId, confidence, reasoning } = verdict.judgement
  const chain = shown.find(({ id }) => id === chainId) ?? first
  return { ...words, chain, way: 'judge', confidence, reasoning, ...usage }
}

function toChoice(
  ctx: Context,
  { grant, request }: Asked,
  { scored, decision }: { scored: Scored[]; decision: Decision },
): Choice {
  const { chain, way, confidence, bestScore, reasoning, costNanos, savedNanos } = decision
  const { threshold, tokenId, name: tokenName, user } = grant
  const isAsked = threshold !== null && confidence !== null && confidence < threshold
  const nearest = nearestTo({ chain, scored })
  const why = { confidence, best_score: bestScore, reasoning }
  return {
    chain,
    question: isAsked ? questionFor(nearest) : undefined,
    reply: isAsked
      ? { ...why, nearest: nearest.map(({ id, name }) => ({ chain_id: id, chain_name: name })) }
      : { selected_chain_id: chain.id, chain_name: chain.name, ...why },
    record: (executionId) =>
      recordSelection(ctx, {
        userId: user.id,
        apiTokenId: tokenId,
        tokenName,
        request: textOf(request).slice(0, SELECTION_REQUEST_LENGTH).toWellFormed(),
        chainId: chain.id,
        chainName: chain.name,
        way,
        confidence,
        bestScore,
        reasoning,
        costNanos,
        savedNanos,
        executionId,
        asked: isAsked,
        scores: scored.map(({ chain: { id, name }, score, shown }) => ({
          chainId: id,
          chainName: name,
          score,
          shown,
        })),
      }),
  }
}

function textOf({ messages }: Pick<ChainRequest, 'messages'>): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? ''
}

function nearestTo({ chain, scored }: { chain: ReachableChain; scored: Scored[] }): ReachableChain[] {
  const others = scored.filter((one) => one.chain.id !== chain.id)
  return [chain, ...others.map((one) => one.chain)].slice(0, NAMED_MAX)
}

function questionFor(chains: ReachableChain[]): string {
  const names = OR.format(chains.map(({ name }) => `“${name}”`))
  return chains.length === 1
    ? `Is this meant for ${names}? Please say more about what you need.`
    : `Is this meant for ${names}? Please say which, or say more about what you need.`
}
