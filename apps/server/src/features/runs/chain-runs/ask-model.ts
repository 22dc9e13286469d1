import { isCut } from '@catenary/contracts'
import type { Context } from '../../../platform/context.ts'
import type { ActiveRun } from '../engine/active-runs.ts'
import { AnswerCutError } from '../engine/answer-cut.ts'
import { loadAttachments } from '../engine/attachments.ts'
import { fallbacksOf } from '../engine/call-step-model.ts'
import { type Answered, answerBySchema } from '../engine/schema-answers/answer-by-schema.ts'
import { cacheKeyOf } from '../engine/step-input.ts'
import type { RenderedStep } from '../engine/step-templates.ts'
import { isLast } from './chain-plan.ts'
import { retry, type StepToGo } from './step-reads.ts'
import { stopsIf } from './stops-if.ts'

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
