import type {
  FinishReason,
  LimitWait,
  ModelStatus,
  PromptRun,
  RunAttachment,
  StepFallback,
  StructuredAnswer,
} from '@catenary/contracts'
import { costNanos, estimateTokens, nanosToUsd } from '@catenary/domain'
import { formatCached, sumTokens } from '../../runs/format-metrics.ts'
import { type Run, unresolvedNames, withoutValue } from '../run.ts'
import { describeFailure, type RunFailure } from '../run-failure.ts'

export interface ColumnRun {
  key: string
  model: string
  modelId: string
  version: number | null
  isEdited: boolean
  phase: 'writing' | 'done' | 'stopped' | 'failed'
  text: string
  waitsFor: LimitWait | null
  fallback: StepFallback | undefined
  startedAt: number
  durationMs: number | null
  tokens: number | null
  costUsd: number | null
  /** What was read from a cache, in words; empty: nothing, or not known yet. */
  cached: string
  isEstimated: boolean
  finishReason: FinishReason | null
  isSandbox: boolean
  structured: StructuredAnswer | undefined
  failure: RunFailure | null
  without: readonly string[]
  executionId: number | null
  /** The id of an earlier run; null: it was started here. */
  executedAt: string | null
  inputs: readonly { name: string; value: string }[]
  attachments: readonly RunAttachment[]
}

export function columnOfRun({
  run,
  place,
  models,
}: {
  run: Run
  place: number
  models: readonly Partial<Pick<ModelStatus, 'alias' | 'modelId' | 'provider'>>[]
}): ColumnRun {
  const { reply, phase, startedAt, endedAt, text } = run
  const asked = models.find(({ alias }) => alias === run.model)
  const outputTokens = estimateTokens(text).tokens
  const { inputTokens, price } = run
  // A refused call used nothing.
  const isUnknown = phase === 'failed' && text === ''
  const estimate = nanosToUsd(costNanos({ inputTokens, outputTokens, price }))
  return {
    key: `${place}:${startedAt}`,
    model: run.model ?? '',
    modelId: reply?.modelId ?? asked?.modelId ?? '',
    version: run.version,
    isEdited: run.request?.template !== undefined,
    phase: phase === 'idle' ? 'writing' : phase,
    text,
    waitsFor: run.waitsFor,
    fallback: reply?.fallback,
    startedAt,
    durationMs: reply?.durationMs ?? (endedAt === null ? null : endedAt - startedAt),
    tokens: isUnknown ? null : ((reply && sumTokens(reply)) ?? inputTokens + outputTokens),
    costUsd: isUnknown ? null : reply ? reply.costUsd : estimate,
    cached: reply ? formatCached(reply) : '',
    isEstimated: reply === null,
    finishReason: reply?.finishReason ?? null,
    isSandbox: (reply?.provider ?? asked?.provider) === 'sandbox',
    structured: reply?.structured,
    failure: run.failure,
    without: unresolvedNames(run),
    executionId: run.executionId,
    executedAt: null,
    inputs: [],
    attachments: reply?.attachments ?? [],
  }
}

const PHASES = { running: 'writing', completed: 'done', cancelled: 'stopped', failed: 'failed' } as const

export function columnOfPastRun(run: PromptRun, inputs: ColumnRun['inputs']): ColumnRun {
  return {
    key: `${run.id}`,
    model: run.model,
    modelId: run.modelId ?? '',
    version: run.promptVersion,
    isEdited: run.template !== null,
    phase: PHASES[run.status],
    text: run.aiResponse,
    waitsFor: null,
    fallback: run.fallback,
    startedAt: Date.parse(run.executedAt),
    durationMs: run.durationMs,
    tokens: sumTokens(run),
    costUsd: run.costUsd,
    cached: formatCached(run),
    isEstimated: false,
    finishReason: run.finishReason,
    isSandbox: run.provider === 'sandbox',
    structured: run.structured,
    failure: run.error !== null && run.status === 'failed' ? describeFailure(run.error) : null,
    without: withoutValue(run.resolved),
    executionId: run.id,
    executedAt: run.executedAt,
    inputs,
    attachments: run.attachments,
  }
}

const WORDS = { done: 'done', writing: 'writing', failed: 'failed', stopped: 'stopped' } as const

export function summaryOf(columns: readonly Pick<ColumnRun, 'phase'>[]): string {
  return Object.entries(WORDS)
    .map(([phase, word]) => ({ word, count: columns.filter((column) => column.phase === phase).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${word}`)
    .join(', ')
}

export function costOf(columns: readonly Pick<ColumnRun, 'costUsd'>[]): number | null {
  const known = columns.flatMap(({ costUsd }) => costUsd ?? [])
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0)
}
