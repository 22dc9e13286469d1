import type { Context } from '../../../platform/context.ts'
import { kindOf } from '../engine/planned-step.ts'
import { requireValues } from '../engine/step-input.ts'
import type { RenderedStep } from '../engine/step-templates.ts'
import { KIND_IN_RUN } from './kinds/kinds.ts'
import { findValues, type StepOfRunning, type StepToGo, takeIn } from './step-reads.ts'
import { stopsIf } from './stops-if.ts'

/** Puts the values into a step's texts, and takes them in before anything is sent. */
export async function prepareInput(
  ctx: Context,
  { run, plan, record, underWay }: StepOfRunning,
): Promise<RenderedStep> {
  const { step } = underWay
  const rendered = await renderInput(ctx, { run, plan, step })
  const input = { ...rendered, resolved: { ...underWay.read, ...rendered.resolved } }
  underWay.input = input
  await takeIn(ctx, { plan, record, resolved: input.resolved })
  requireAll({ step, plan, resolved: input.resolved })
  return input
}

/** Throws where the run stops at a step for which a value is missing. */
export function requireAll({
  step,
  plan,
  resolved,
}: Pick<StepToGo, 'step' | 'plan'> & Pick<RenderedStep, 'resolved'>): void {
  if (stopsIf(step.stopsWithoutValue, plan))
    requireValues({ template: KIND_IN_RUN[kindOf(step)].texts(step), resolved })
}

/** A step’s texts as they are sent. */
export async function renderInput(ctx: Context, toGo: StepToGo): Promise<RenderedStep> {
  const { step, plan } = toGo
  const { texts, render } = KIND_IN_RUN[kindOf(step)]
  const { outputs, jsonOutputs } = plan
  const variables = await findValues(ctx, { ...toGo, template: texts(step) })
  return render(step, { variables, outputs, jsonOutputs })
}
