import type { Context } from '../../../../platform/context.ts'
import { RunStopped } from '../../engine/active-runs.ts'
import { toStepRow } from '../../engine/call-model.ts'
import { EmptyInputError } from '../../engine/run-ending.ts'
import { askModel } from '../ask-model.ts'
import { isLast, keepOutput } from '../chain-plan.ts'
import { toStepEnd } from '../step-end.ts'
import { retry } from '../step-reads.ts'
import type { KindInRun, StepResult, StepToTake } from './kind-in-run.ts'
import { TEMPLATES } from './templates.ts'

export const PROMPT: KindInRun = {
  planned: ({ stop }) => (Array.isArray(stop) ? { stop } : {}),
  texts: TEMPLATES.texts,
  render(step, values) {
    const input = TEMPLATES.render(step, values)
    if (input.text.trim() === '') throw new EmptyInputError('This step has no text to send')
    return input
  },
  async takeItem(ctx, { run, plan, underWay: { step }, input }) {
    const result = await askModel(ctx, { run, plan, step, input })
    const { text: aiResponse, fallback, structured, limitWaitMs } = result
    return { ...toStepRow(result), fallback, structured, aiResponse, limitWaitMs }
  },
  take,
}

async function take(ctx: Context, { run, plan, record, underWay, input }: StepToTake): Promise<StepResult> {
  const { step } = underWay
  const result = await askModel(ctx, { run, plan, step, input })
  const completed = {
    ...toStepEnd({ run, underWay, result }),
    ...toStepRow(result),
    fallback: result.fallback,
    structured: result.structured,
  }
  const store = () => record.store({ completed, isLast: isLast({ plan, step }) })
  // Another worker has the run by now.
  if (!(await retry(ctx, store))) throw new RunStopped('lost')
  keepOutput(plan, step, result.text)
  plan.output = result.text
  return { answered: [result] }
}
