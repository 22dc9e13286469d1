import type { Context } from '../../../platform/context.ts'
import type { ModelCall, ModelResult } from '../../../platform/models/model-types.ts'
import { limitedModels } from '../../spending/spending.ts'
import type { ActiveRun } from './active-runs.ts'

const NUL = /\0/g

export interface CallResult extends ModelResult {
  limitWaitMs: number
}

export async function callModel(
  ctx: Context,
  {
    call,
    run,
    isHeld = false,
  }: {
    call: ModelCall
    run: ActiveRun
    isHeld?: boolean
  },
): Promise<CallResult> {
  for await (const event of limitedModels(ctx).stream({ ...call, onWait: (wait) => run.wait(wait) })) {
    if (event.type === 'done') {
      const { type: _, ...result } = event
      return { ...result, text: result.text.replace(NUL, '\uFFFD'), limitWaitMs: run.limitWaitMs }
    }
    if (!isHeld) run.append(event.text.replace(NUL, '\uFFFD'))
  }
  throw new Error('a model call ends with done or throws')
}

export function toStepRow({ firstTokenMs, durationMs, ...result }: ModelResult) {
  const { provider, modelId, finishReason, retries } = result
  const { inputTokens, outputTokens, cachedTokens, costNanos, savedNanos } = result
  const usage = { inputTokens, outputTokens, cachedTokens, costNanos, savedNanos }
  const times = { firstTokenMs: Math.round(firstTokenMs), durationMs: Math.round(durationMs) }
  return { provider, modelId, finishReason, retries, ...usage, ...times }
}
