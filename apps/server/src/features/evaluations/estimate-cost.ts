import type { EvaluationEstimate } from '@catenary/contracts'
import { costNanos, estimateTokens, nanosToUsd, sumAll, sumKnown } from '@catenary/domain'
import type { Context } from '../../platform/context.ts'
import type { FrozenLinks } from '../chains/chains.ts'
import type { OthersText } from '../records/records.ts'
import { limitedModels } from '../spending/spending.ts'
import type { TestedRecord } from './evaluations.sql.ts'
import type { FrozenCase } from './frozen-cases.ts'
import { countJudgeCalls, judgeTextOf } from './judged-cases.ts'
import { findChainCosts, findPromptTokens } from './past-runs.sql.ts'

/** Tokens assumed for an answer without past runs. */
const USUAL_ANSWER = { median: 400, p95: 1_500 }
/** Tokens that a judge writes, and those of the prompt around the text that it reads. */
const JUDGE_ANSWER = { median: 100, p95: 300 }
const JUDGE_FRAME = 250

interface Spread {
  median: number | null
  p95: number | null
}

export interface EstimatedTarget {
  version: number
  model: string | null
  /** Each with how often it is sent at most; once where that is not said. */
  texts: { content: string; model: string; calls?: number | undefined }[]
  /** What conditions read and ends of runs say, as templates: no model is sent that. */
  flows?: string[]
  settings: unknown
  frozenLinks?: FrozenLinks
  others: readonly OthersText[]
}

interface Estimated {
  viewerId: number
  record: TestedRecord
  targets: EstimatedTarget[]
  asked: FrozenCase[][]
  reused: number
  judgeModel: string | null
}

export async function estimateCost(ctx: Context, wanted: Estimated): Promise<EvaluationEstimate> {
  const { viewerId, record, targets, asked, reused } = wanted
  const ofTargets: EvaluationEstimate['targets'] = []
  for (const [index, target] of targets.entries())
    ofTargets.push(await estimateTarget(ctx, { viewerId, record, target, cases: asked[index] ?? [] }))
  const judge = estimateJudge(ctx, wanted)
  const parts = [...ofTargets, ...(judge === null ? [] : [judge])]
  const unpriced = asked.map((cases, index) => (ofTargets[index]?.medianUsd === null ? cases.length : 0))
  return {
    medianUsd: sumKnown(parts.map(({ medianUsd }) => medianUsd)),
    p95Usd: sumKnown(parts.map(({ p95Usd }) => p95Usd)),
    cells: asked.flat().length,
    reused,
    uncounted: unpriced.reduce((sum, cells) => sum + cells, 0),
    targets: ofTargets,
    judge,
  }
}

async function estimateTarget(
  ctx: Context,
  {
    target,
    cases,
    ...of
  }: Pick<Estimated, 'viewerId' | 'record'> & { target: EstimatedTarget; cases: FrozenCase[] },
): Promise<EvaluationEstimate['targets'][number]> {
  const { version, model } = target
  const ofRuns = await costByRuns(ctx, { ...of, model })
  const each = cases.map((frozen) => (ofRuns.runs > 0 ? ofRuns.cost : costByText(ctx, target, frozen)))
  return {
    version,
    model,
    basis: ofRuns.runs > 0 ? 'runs' : 'text',
    runs: ofRuns.runs,
    medianUsd: nanosToUsd(sumAll(each.map(({ median }) => median))),
    p95Usd: nanosToUsd(sumAll(each.map(({ p95 }) => p95))),
  }
}

async function costByRuns(
  ctx: Context,
  { viewerId, record, model }: Pick<Estimated, 'viewerId' | 'record'> & { model: string | null },
): Promise<{ runs: number; cost: Spread }> {
  if (record.kind === 'chain' || model === null) {
    const { runs, nanos } = await findChainCosts(ctx.db, { chainId: record.id, viewerId })
    return { runs, cost: { median: Math.round(nanos.median), p95: Math.round(nanos.p95) } }
  }
  const { runs, input, output } = await findPromptTokens(ctx.db, { promptId: record.id, model, viewerId })
  if (runs === 0) return { runs, cost: { median: null, p95: null } }
  const cost = {
    median: costOf(ctx, model, { input: input.median, output: output.median }),
    p95: costOf(ctx, model, { input: input.p95, output: output.p95 }),
  }
  return { runs, cost }
}

function costByText(ctx: Context, { texts }: EstimatedTarget, { input, values }: FrozenCase): Spread {
  const given = estimateTokens([input, ...Object.values(values)].join(' ')).tokens
  const callOf = (part: keyof typeof USUAL_ANSWER) =>
    sumAll(
      texts.map(({ content, model, calls = 1 }) =>
        costOf(ctx, model, {
          input: calls * (estimateTokens(content).tokens + given),
          output: calls * USUAL_ANSWER[part],
        }),
      ),
    )
  return { median: callOf('median'), p95: callOf('p95') }
}

function estimateJudge(ctx: Context, { asked, judgeModel }: Estimated): EvaluationEstimate['judge'] {
  const calls = countJudgeCalls(asked)
  if (calls === 0 || judgeModel === null) return null
  const read = asked.flat().map((frozen) => estimateTokens(judgeTextOf(frozen)).tokens)
  const rubrics = read.reduce((sum, tokens) => sum + tokens, 0)
  const range = (part: keyof typeof JUDGE_ANSWER) =>
    costOf(ctx, judgeModel, {
      input: rubrics + calls * (JUDGE_FRAME + USUAL_ANSWER[part]),
      output: calls * JUDGE_ANSWER[part],
    })
  return {
    model: judgeModel,
    calls,
    medianUsd: nanosToUsd(range('median')),
    p95Usd: nanosToUsd(range('p95')),
  }
}

/** In nano-dollars, for that many tokens; null for a model without a price. */
function costOf(
  ctx: Context,
  alias: string,
  { input, output }: { input: number; output: number },
): number | null {
  return costNanos({
    inputTokens: Math.ceil(input),
    outputTokens: Math.ceil(output),
    price: limitedModels(ctx).priceOf(alias),
  })
}
