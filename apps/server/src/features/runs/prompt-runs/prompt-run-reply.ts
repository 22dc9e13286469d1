import { type ExecutePromptReply, markCut } from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { ServerEvent } from '../../../platform/http/event-stream.ts'
import { toWaitView } from '../engine/live-text.ts'
import type { RunFailure } from '../engine/run-ending.ts'
import type { PromptRunHandle } from './start-prompt-run.ts'

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

export async function* toPromptEvents(run: PromptRunHandle): AsyncGenerator<ServerEvent, void> {
  const { id: executionId, price } = run
  yield { event: 'start', data: { executionId, price } }
  for await (const change of run.text.follow()) {
    if ('text' in change) yield { event: 'delta', data: change }
    else yield { event: 'wait', data: { waitsFor: toWaitView(change.waitsFor) } }
  }
  try {
    yield { event: 'done', data: await toPromptReply(run) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    yield { event: 'error', data: { error: error.message, details: error.details, executionId } }
  }
}

function toError({ message, code }: RunFailure): AppError {
  if (code === 'internal') return new AppError('unavailable', message)
  if (code === 'model_unable') return new AppError('invalid', message, { details: code })
  if (code === 'budget_spent') return new AppError('too_many', message, { details: code })
  if (code === 'model_forbidden') return new AppError('forbidden', message, { details: code })
  return new AppError('upstream', message, { details: code })
}
