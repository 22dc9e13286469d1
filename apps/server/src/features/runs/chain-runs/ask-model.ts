import { isCut } from '@catenary/contracts'
import type { Context } from '../../../platform/context.ts'
import type { ActiveRun } from '../engine/active-runs.ts'
import { AnswerCutError } from '../engine/answer-cut.ts'
import { loadAttachments } from '../engine/attachments.ts'
import { fallbacksOf } from '../engine/call-step-model.ts'
import { asksModel, type PlannedStep } from '../engine/planned-step.ts'
import { EmptyInputError } from '../engine/run-ending.ts'
import { type Answered, answerBySchema } from '../engine/schema-answers/answer-by-schema.ts'
import { cacheKeyOf, requireValues } from '../engine/step-input.ts'
import { joinTemplates, type RenderedStep, renderStep } from '../engine/step-templates.ts'
import { type ChainPlan, isLast } from './chain-plan.ts'
import { findValues, retry, type StepOfRunning, type StepToGo, takeIn } from './step-reads.ts'

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
    requireValues({ template: joinTemplates(templatesOf(step)), resolved })
}

interface AskedStep extends Pick<StepToGo, 'step' | 'plan'> {
  run: ActiveRun
  input: RenderedStep
}

export async function askModel(ctx: Context, { step, plan, ...asked }: AskedStep): Promise<Answered> {
  const result = await callModelOf(ctx, { ...asked, step, plan })
  if (isCut(result) && !isLast({ plan, step }) && stopsIf(step.stopsWhenCut, plan))
    throw new AnswerCutError({ alias: step.model, answer: result })
  return result
}

/** A step’s texts as they are sent. */
export async function renderInput(ctx: Context, toGo: StepToGo): Promise<RenderedStep> {
  const { step, plan } = toGo
  const templates = templatesOf(step)
  const { outputs, jsonOutputs } = plan
  const variables = await findValues(ctx, { ...toGo, template: joinTemplates(templates) })
  const input = renderStep({ templates, variables, outputs, jsonOutputs })
  if (input.text.trim() === '' && asksModel(step)) throw new EmptyInputError('This step has no text to send')
  return input
}

const templatesOf = ({ template: content, systemPrompt, messages = [] }: PlannedStep) => ({
  content,
  systemPrompt,
  messages,
})

async function callModelOf(ctx: Context, { step, plan, input, run }: AskedStep): Promise<Answered> {
  const { model, temperature, maxTokens, position, stop, schema, effort } = step
  const load = () => loadAttachments(ctx, input)
  const said = input.placed.length === 0 ? input.text : await retry(ctx, load)
  // Someone may read the answer as it is written: a try of the last step that has begun to answer is not repeated.
  const isRead = plan.trigger === 'token' && isLast({ plan, step }) && !step.mayFail && !step.forEach
  return answerBySchema(ctx, {
    isHeld: isRead,
    run,
    position,
    fallbackModels: fallbacksOf(step),
    call: {
      alias: model,
      userId: plan.user.id,
      messages: [...input.messages, { role: 'user', content: said }],
      cacheKey: cacheKeyOf(step),
      signal: run.signal,
      retriesWhileUnavailable: true,
      repeatable: !isRead,
      ...(input.fixedLength !== undefined && { fixedLength: input.fixedLength }),
      ...(input.systemPrompt.trim() === '' ? {} : { system: input.systemPrompt }),
      ...(effort && { effort }),
      ...(temperature === null ? {} : { temperature }),
      ...(maxTokens === null ? {} : { maxTokens }),
      ...(stop && { stop }),
      ...(schema && { schema }),
      ...(plan.depth === null ? {} : { depth: plan.depth + 1 }),
    },
  })
}

/** Whether a run stops: at a step without all of its values (D44), or after one whose answer was cut (D71). */
function stopsIf(rule: 'unwatched' | 'always' | 'never' = 'unwatched', { trigger }: ChainPlan): boolean {
  return rule === 'always' || (rule === 'unwatched' && trigger !== 'manual')
}
