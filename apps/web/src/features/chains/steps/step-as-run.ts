import { CHAIN_INPUT, type ChainStep, givesJson, ownTextsOf } from '@catenary/contracts'
import type { CheckedStep } from '@catenary/domain'

/** The text that will run: the linked prompt's current one, if the person may see it, else the copy (D29). */
export function contentOf({ linkedPrompt, content }: Pick<ChainStep, 'linkedPrompt' | 'content'>): string {
  return linkedPrompt?.content ?? content
}

/** What the step is about: its prompt's text, or what it asks to decide on, sends to a service or ends the run with. */
export function textOfStep(
  step: Pick<ChainStep, 'linkedPrompt' | 'content' | 'stop' | 'ask' | 'tool'>,
): string {
  return ownTextsOf(step).at(-1) ?? contentOf(step)
}

/** What a run is given may be JSON, too. */
export function jsonOutputsOf(steps: readonly ChainStep[]): ReadonlySet<string> {
  const made = steps.flatMap((step) => (givesJson(step) ? [step.outputVariableName] : []))
  return new Set([CHAIN_INPUT.lastMessage, ...made])
}

/** The same with what the step itself goes through: any of its items may be JSON. */
export function jsonNamesOf(
  { forEach }: Pick<ChainStep, 'forEach'>,
  jsonOutputs: ReadonlySet<string>,
): ReadonlySet<string> {
  return forEach ? new Set([...jsonOutputs, forEach.as]) : jsonOutputs
}

/** The checks remember what they read of each object, so a step is always the same one. */
const checked = new WeakMap<ChainStep, CheckedStep>()

export function stepsAsRun(steps: readonly ChainStep[]): CheckedStep[] {
  return steps.map((step) => {
    const known = checked.get(step)
    if (known) return known
    const { systemPrompt, messages, outputVariableName, output } = step
    const { onlyIf, forEach, default: value, ifItFails, stop, ask, tool } = step
    const texts = { content: contentOf(step), systemPrompt, messages }
    const flow = { onlyIf, forEach, default: value, ifItFails, stop, ask, tool }
    const asRun = { ...texts, outputVariableName, output, ...flow }
    checked.set(step, asRun)
    return asRun
  })
}
