import { endOf } from '@catenary/contracts'
import type { Context } from '../../../../platform/context.ts'
import { RunStopped } from '../../engine/active-runs.ts'
import { StoppedByStepError } from '../../engine/run-ending.ts'
import { toStepEnd } from '../step-end.ts'
import { retry } from '../step-reads.ts'
import type { KindInRun, StepResult, StepToTake } from './kind-in-run.ts'
import { TEMPLATES } from './templates.ts'

export const STOP: KindInRun = {
  ...TEMPLATES,
  planned({ stop }) {
    const ends = endOf(stop)
    return ends ? { kind: 'stop', ends } : {}
  },
  take: endHere,
}

async function endHere(
  ctx: Context,
  { run, plan, record, underWay, input: { text } }: StepToTake,
): Promise<StepResult> {
  const { ends } = underWay.step
  if (ends?.outcome === 'failed') throw new StoppedByStepError(text)
  const end = { ...toStepEnd({ run, underWay }), aiResponse: text }
  const store = () => record.storeApart({ end, skipReason: null, output: text })
  if (!(await retry(ctx, store))) throw new RunStopped('lost')
  plan.output = text
  return { endsRun: true }
}
