import { sumAll, sumKnown } from '@catenary/domain'
import { ModelError } from '../../../platform/models/model-error.ts'
import type { ModelCall, ModelUsage } from '../../../platform/models/model-types.ts'
import type { Models } from '../../../platform/models/models.ts'
import type { ActiveRun } from '../engine/active-runs.ts'
import { type CallResult, callModel } from '../engine/call-model.ts'

export interface StepResult extends CallResult {
  /** The alias that answered in place of the step's own, and why that one did not. */
  fallback: { model: string; reason: string } | null
}

interface StepCall {
  models: Models
  run: ActiveRun
  call: ModelCall
  position: number
  fallbackModel: string | null
}

/**
 * The answer of the step's model; if that fails for good, of its fallback, unless someone has read the beginning of
 * an answer. Both count toward the cost.
 */
export async function callStepModel({
  models,
  run,
  call,
  position,
  fallbackModel,
}: StepCall): Promise<StepResult> {
  const start = performance.now()
  const ask = (alias: string, failed: number) => {
    const onRetry: ModelCall['onRetry'] = ({ retry }) => void run.begin({ position, retries: failed + retry })
    return callModel({ models, run, call: { ...call, alias, onRetry } })
  }
  try {
    return { ...(await ask(call.alias, 0)), fallback: null }
  } catch (error) {
    const isFinal = !(error instanceof ModelError) || run.signal.aborted
    const isRead = call.repeatable !== true && run.text !== ''
    if (isFinal || isRead || fallbackModel === null || fallbackModel === call.alias) throw error
    const before = performance.now() - start
    const failed = (run.step?.retries ?? 0) + 1
    run.begin({ position, retries: failed })
    const result = await ask(fallbackModel, failed).catch((second: unknown) => {
      throw second instanceof ModelError && !run.signal.aborted ? bothFailed(error, second) : second
    })
    return {
      ...result,
      ...together(error.used, result),
      retries: failed + result.retries,
      firstTokenMs: before + result.firstTokenMs,
      durationMs: before + result.durationMs,
      fallback: { model: fallbackModel, reason: error.message },
    }
  }
}

function bothFailed(first: ModelError, second: ModelError): ModelError {
  const { code, alias, status } = first
  return new ModelError({
    code,
    alias,
    ...(status === undefined ? {} : { status }),
    message: `${first.message} The fallback failed too: ${second.message}`,
    used: second.used === undefined ? first.used : together(first.used, second.used),
  })
}

/** A failed call that reports no usage counts as none. */
function together(failed: ModelUsage | undefined, last: ModelUsage): ModelUsage {
  const { inputTokens, outputTokens, cachedTokens, costNanos, savedNanos } = last
  if (failed === undefined) return { inputTokens, outputTokens, cachedTokens, costNanos, savedNanos }
  return {
    inputTokens: sumAll([failed.inputTokens, inputTokens]),
    outputTokens: sumAll([failed.outputTokens, outputTokens]),
    cachedTokens: sumKnown([failed.cachedTokens, cachedTokens]),
    costNanos: sumAll([failed.costNanos, costNanos]),
    savedNanos: sumAll([failed.savedNanos, savedNanos]),
  }
}
