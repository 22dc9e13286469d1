import type { Context } from '../../../../platform/context.ts'
import { RunStopped } from '../../engine/active-runs.ts'
import { toStepRow } from '../../engine/call-model.ts'
import { askModel } from '../ask-model.ts'
import { isLast, keepOutput } from '../chain-plan.ts'
import { toStepEnd } from '../step-end.ts'
import { retry } from '../step-reads.ts'
import type { KindInRun, StepResult, StepToTake } from './kind-in-run.ts'

export const PROMPT: KindInRun = {
  planned: ({ stop }) => (Array.isArray(stop) ? { stop } : {}),
  take: ask,
}

async function ask(ctx: Context, { run, plan, record, underWay, input }: StepToTake): Promise<StepResult> {
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
