import {
  type ListedRunItem,
  markCut,
  type RunAccessLevel,
  type RunItem,
  type RunStep,
  valueOrigins,
} from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import type { ItemRow, ListedItemRow } from './run-items.sql.ts'
import { hideItem, shownError, shownReason } from './shown-runs.ts'

/** The step that it is of, as its reader sees it. */
type OfStep = Pick<RunStep, 'promptId' | 'promptVersion' | 'systemPrompt' | 'messages'>

interface Shown<Row> {
  row: Row
  step: OfStep
  access: RunAccessLevel
}

export function toListedItem({ row, step, access }: Shown<ListedItemRow>): ListedRunItem {
  const item = {
    ...toOutcome({ row, access }),
    item: row.item,
    inputContent: row.inputContent,
    aiResponse: row.aiResponse,
    ...(row.isClipped && access !== 'figures' && { contentClipped: true as const }),
  }
  return access === 'own' ? item : hideItem({ item, access, isShown: isShown(step) })
}

export function toRunItem({ row, step, access }: Shown<ItemRow>): RunItem {
  const item = {
    ...toOutcome({ row, access }),
    item: row.item,
    inputContent: row.inputContent,
    aiResponse: row.aiResponse,
    inputSegments: row.inputSegments ?? [],
    resolved: valueOrigins.safeParse(row.resolved).data ?? {},
    systemPrompt: row.systemPrompt ?? step.systemPrompt,
    messages: row.messages ?? step.messages,
    structured: row.structured ?? undefined,
  }
  return access === 'own' ? item : hideItem({ item, access, isShown: isShown(step) })
}

function toOutcome({ row, access }: { row: ListedItemRow | ItemRow; access: RunAccessLevel }) {
  const { index, startedAt, retriedAt } = row
  return {
    index,
    status: statusOf(row),
    modelId: row.modelId,
    provider: row.provider,
    fallback: row.fallback,
    finishReason: row.finishReason,
    ...markCut(row),
    executedAt: startedAt?.toISOString() ?? null,
    error: shownError({ access, ...row }),
    errorCode: row.errorCode,
    skipReason: shownReason({ access, ...row }),
    retries: row.retries,
    limitWaitMs: row.limitWaitMs || undefined,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    cachedTokens: row.cachedTokens,
    costUsd: nanosToUsd(row.costNanos),
    savedUsd: nanosToUsd(row.savedNanos),
    durationMs: row.durationMs,
    retriedAt: retriedAt?.toISOString() ?? null,
  }
}

function statusOf({ skipReason, status, isUnsure }: ListedItemRow | ItemRow): RunItem['status'] {
  if (skipReason !== null) return 'skipped'
  return status ?? (isUnsure ? 'unsure' : 'waiting')
}

/** Who can't see the prompt of a step sees no more of it than its answer. */
const isShown = ({ promptId, promptVersion }: OfStep) => promptVersion === null || promptId !== null
