import { lacksOf, type PromptSettings, type StepFallback } from '@catenary/contracts'
import type { Context } from '../../../platform/context.ts'
import { addUsage } from '../../../platform/models/add-usage.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import type { ModelCall } from '../../../platform/models/model-types.ts'
import { limitedModels } from '../../spending/spending.ts'
import type { ActiveRun } from './active-runs.ts'
import { type CallResult, callModel } from './call-model.ts'

export interface StepResult extends CallResult {
  /** The alias that answered in place of the step's own, and why those before it did not; null: its own answered. */
  fallback: StepFallback | null
}

interface AbleCall {
  call: Pick<ModelCall, 'alias' | 'effort' | 'temperature' | 'stop'>
  fallbackModels: readonly string[]
}

export interface StepCall {
  run: ActiveRun
  call: ModelCall
  position: number
  fallbackModels: readonly string[]
  isHeld?: boolean
}

/**
 * The answer of the step's model; if that fails for good, of the first of its fallbacks that answers, unless someone
 * has read the beginning of an answer. All of them count toward the cost. Throws the error of the step's model, with
 * what became of the others.
 */
export async function callStepModel(
  ctx: Context,
  { run, call, position, fallbackModels, isHeld = false }: StepCall,
): Promise<StepResult> {
  requireAble(ctx, { call, fallbackModels })
  const start = performance.now()
  const failures: ModelError[] = []
  let tries = 0
  for (const alias of new Set([call.alias, ...fallbackModels])) {
    if (failures.length > 0) run.begin({ position, retries: tries })
    const before = failures.length > 0 ? performance.now() - start : 0
    const onRetry: ModelCall['onRetry'] = ({ retry }) => run.begin({ position, retries: tries + retry })
    try {
      const result = await callModel(ctx, { run, isHeld, call: { ...call, alias, onRetry } })
      return {
        ...result,
        ...addUsage([...failures.map(({ used }) => used), result]),
        retries: tries + result.retries,
        firstTokenMs: before + result.firstTokenMs,
        durationMs: before + result.durationMs,
        fallback: toFallback({ model: alias, failures }),
      }
    } catch (error) {
      if (!(error instanceof ModelError) || run.signal.aborted || call.signal?.aborted) throw error
      failures.push(error)
      if (call.repeatable !== true && run.text !== '') break
      tries = (run.step?.retries ?? 0) + 1
    }
  }
  throw allFailed(failures)
}

/** Throws for the first of the models that can't do what is asked: it would be dropped in silence, or refused in other words. */
export function requireAble(ctx: Context, { call, fallbackModels }: AbleCall): void {
  const { effort, temperature, stop } = call
  if (effort === undefined && temperature === undefined && stop === undefined) return
  const known = new Map(
    limitedModels(ctx)
      .describe()
      .map((model) => [model.alias, model]),
  )
  for (const alias of [call.alias, ...fallbackModels]) {
    const model = known.get(alias)
    if (model === undefined) continue
    const [lack] = Object.values(lacksOf(model, { effort, temperature, stop }))
    if (lack === undefined) continue
    const message = alias === call.alias ? lack : `The fallback ${lack}`
    throw new ModelError({ code: 'model_unable', alias, message })
  }
}

export function fallbacksOf({
  fallbackModel,
  moreFallbackModels = [],
}: {
  fallbackModel?: string | null | undefined
  moreFallbackModels?: PromptSettings['moreFallbackModels']
}): string[] {
  return fallbackModel ? [fallbackModel, ...moreFallbackModels] : moreFallbackModels
}

function toFallback({
  model,
  failures,
}: {
  model: string
  failures: readonly ModelError[]
}): StepFallback | null {
  const failed = failures.map(({ alias, message }) => ({ model: alias, reason: message }))
  const [first] = failed
  return first === undefined ? null : { model, reason: first.reason, failed }
}

function allFailed(failures: readonly ModelError[]): ModelError {
  const [first, ...others] = failures
  if (first === undefined) throw new Error('a step asks a model')
  if (others.length === 0) return first
  const { code, alias, status } = first
  const said = others.map(({ message }) => message).join(' ')
  return new ModelError({
    code,
    alias,
    ...(status === undefined ? {} : { status }),
    message: `${first.message} The fallback${others.length === 1 ? '' : 's'} failed too: ${said}`,
    used: addUsage(failures.map(({ used }) => used)),
  })
}
