import { ownTextsOf } from '@catenary/contracts'
import { outputsRead } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import { readThroughCache } from '../../../platform/cache/read-through-cache.ts'
import { type Context, onePerApp } from '../../../platform/context.ts'
import { openChainForRun, type RunnableChain, type WantedChain } from '../../chains/chains.ts'
import { type OpenedStep, withSchema } from '../engine/planned-step.ts'
import { joinTemplates } from '../engine/step-templates.ts'
import { KIND_IN_RUN } from './kinds/kinds.ts'

/** In UTF-16 units of the plans that are kept in memory. */
const CHARACTERS_KEPT = 8_000_000
const STEP_OVERHEAD = 1_000

/** In UTF-16 units of all steps' texts; some five times as many, escaped, are more than a string holds. */
const PLAN_MAX = 110_000_000

const plans = onePerApp((ctx) =>
  readThroughCache({
    rowChanges: ctx.rowChanges,
    keyOf: ({ id, user, label, version, frozenLinks }: WantedChain) =>
      JSON.stringify([id, user.id, user.role, label ?? null, version ?? null, frozenLinks ?? null]),
    load: async (wanted) => {
      const { id, name, version, ownerId, ...runnable } = await openChainForRun(ctx, wanted)
      const { visibilityEpoch } = runnable
      return { id, name, version, ownerId, visibilityEpoch, steps: toPlan(runnable), userId: wanted.user.id }
    },
    rowsOf: ({ id, ownerId, steps, userId }) => [
      `chains:${id}`,
      `users:${ownerId}`,
      `users:${userId}`,
      ...steps.flatMap(({ promptId }) => (promptId === null ? [] : [`prompts:${promptId}` as const])),
    ],
    capacity: CHARACTERS_KEPT,
    sizeOf: ({ steps }) => lengthOf(steps) + steps.length * STEP_OVERHEAD,
  }),
)

export const openPlan = (ctx: Context, wanted: WantedChain) => plans(ctx)(wanted)

function toPlan({
  steps,
  stopsWithoutValue,
  stopsWhenCut,
}: Pick<RunnableChain, 'steps' | 'stopsWithoutValue' | 'stopsWhenCut'>): OpenedStep[] {
  const reads = outputsRead(steps)
  const plan = steps.map(
    ({ kind = 'prompt', content, systemPrompt, model, stop, ask, tool, ifItFails, ...step }, position) => ({
      ...step,
      ...withSchema(step.output),
      ...readsOf(reads[position]),
      ...(ifItFails === 'go_on' && { mayFail: true as const }),
      ...KIND_IN_RUN[kind].planned({ stop, ask, tool }),
      // A step that asks none.
      model: model ?? '',
      position,
      template: ownTextsOf({ stop, ask })[0] ?? content,
      systemPrompt: systemPrompt ?? '',
      stopsWithoutValue,
      stopsWhenCut,
    }),
  )
  if (lengthOf(plan) > PLAN_MAX) {
    const most = PLAN_MAX.toLocaleString('en')
    throw new AppError('too_large', `The steps of this chain have more than ${most} characters in total`)
  }
  return plan
}

const readsOf = (reads: readonly string[] = []) => (reads.length > 0 ? { reads } : {})

const lengthOf = (plan: OpenedStep[]): number =>
  plan.reduce(
    (sum, { template: content, systemPrompt, messages = [] }) =>
      sum + joinTemplates({ content, systemPrompt, messages }).length,
    0,
  )
