import type { StepAsk } from '@catenary/contracts'
import { askOutput } from '@catenary/domain'

interface Given {
  given: string
  ask: Pick<StepAsk, 'choices'>
  /** What people would have been shown. */
  text: string
}

/** The output that stands for an answer: as it is given, where that is one, or else with the decision that is given. */
export function readGiven({ given, ask, text }: Given): {
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
