import type { StepAsk } from '@catenary/contracts'
import { askOutput } from '@catenary/domain'
import type { Context } from '../../../../platform/context.ts'
import { RunStopped } from '../../engine/active-runs.ts'
import { AskRejectedError } from '../../engine/run-ending.ts'
import { isLast, keepOutput } from '../chain-plan.ts'
import { toStepEnd } from '../step-end.ts'
import { retry } from '../step-reads.ts'
import { destinationOfAsk } from './ask-destination.ts'
import type { KindInRun, StepResult, StepToTake } from './kind-in-run.ts'
import { TEMPLATES } from './templates.ts'
import { callsBehind } from './tool/shown-calls.ts'

export const ASK: KindInRun = {
  ...TEMPLATES,
  planned: ({ ask }) => (ask ? { kind: 'ask', ask: withoutText(ask) } : {}),
  destination: destinationOfAsk,
  take: askPeople,
}

const withoutText = ({ text: _, ...ask }: StepAsk) => ask

/** The run waits for a person, unless what they would say is given. */
async function askPeople(
  ctx: Context,
  { run, plan, record, underWay, input }: StepToTake,
): Promise<StepResult> {
  const { step } = underWay
  const { given, ask } = step
  if (ask === undefined) throw new Error('A step asks people, and its plan does not say whom')
  if (given !== undefined) {
    const { output, ends } = readGiven({ given, ask, text: input.text })
    if (ends === 'failed') throw new AskRejectedError('The answer that is given ends the run')
    const end = { ...toStepEnd({ run, underWay }), aiResponse: output }
    const endsRun = ends === 'completed' || isLast({ plan, step })
    const store = () => record.storeApart({ end, skipReason: null, output: endsRun ? output : null })
    if (!(await retry(ctx, store))) throw new RunStopped('lost')
    keepOutput(plan, step, output)
    plan.output = output
    return ends === 'completed' ? { endsRun: true } : {}
  }
  const asked = { ...step, ask }
  const calls = callsBehind(plan, step)
  if (!(await retry(ctx, () => record.ask({ step: asked, input, calls })))) throw new RunStopped('lost')
  return { waits: true }
}

interface Given {
  given: string
  ask: Pick<StepAsk, 'choices'>
  /** What people would have been shown. */
  text: string
}

/** The output that stands for an answer: as it is given, where that is one, or else with the decision that is given. */
function readGiven({ given, ask, text }: Given): {
  output: string
  ends: 'failed' | 'completed' | undefined
} {
  const whole = readObject(given)
  const decision = whole === undefined ? given : String(whole.decision ?? '')
  const ends = ask.choices.find(({ id }) => id === decision)?.ends
  return { output: whole ? given : askOutput({ decision, text, reason: '', by: '', at: '' }), ends }
}

function readObject(text: string): { decision?: unknown } | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : undefined
  } catch {
    return undefined
  }
}
