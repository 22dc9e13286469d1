import { type ExecutePromptReply, markCut } from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { RunFailure } from '../engine/run-ending.ts'
import type { PromptRunHandle } from './prompt-runs.service.ts'

/** What a caller is answered at the end; throws `upstream` when the model failed. */
export async function toPromptReply({
  id,
  outcome: ending,
  resolved,
  asked,
  attachments,
}: PromptRunHandle): Promise<ExecutePromptReply> {
  const outcome = await ending
  if (outcome.status !== 'completed') throw toError(outcome)
  const { text, modelId, provider, finishReason, fallback, structured } = outcome.answer
  const { inputTokens, outputTokens, cachedTokens, costNanos, savedNanos, durationMs, limitWaitMs } =
    outcome.answer
  return {
    executionId: id,
    result: text,
    model: asked,
    modelId,
    provider,
    limitWaitMs: limitWaitMs || undefined,
    fallback: fallback ?? undefined,
    structured: structured ?? undefined,
    finishReason,
    ...markCut({ finishReason }),
    inputTokens,
    outputTokens,
    cachedTokens,
    costUsd: nanosToUsd(costNanos),
    savedUsd: nanosToUsd(savedNanos),
    durationMs: Math.round(durationMs),
    resolved,
    ...(attachments && { attachments }),
  }
}

function toError({ message, code }: RunFailure): AppError {
  if (code === 'internal') return new AppError('unavailable', message)
  if (code === 'model_unable') return new AppError('invalid', message, { details: code })
  if (code === 'budget_spent') return new AppError('too_many', message, { details: code })
  if (code === 'model_forbidden') return new AppError('forbidden', message, { details: code })
  return new AppError('upstream', message, { details: code })
}
