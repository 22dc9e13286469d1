import type { ChainStep } from '@catenary/contracts'
import type { CheckedStep } from '@catenary/domain'
import { endOf } from './flow/flow-form.ts'

/** The text that will run: the linked prompt's current one, if the person may see it, else the copy (D29). */
export function contentOf({ linkedPrompt, content }: Pick<ChainStep, 'linkedPrompt' | 'content'>): string {
  return linkedPrompt?.content ?? content
}

/** What the step is about: its prompt's text, or what it asks to decide on or ends the run with. */
export function textOfStep(step: Pick<ChainStep, 'linkedPrompt' | 'content' | 'stop' | 'ask'>): string {
  return endOf(step.stop)?.text ?? step.ask?.text ?? contentOf(step)
}

export function jsonOutputsOf(steps: readonly ChainStep[]): ReadonlySet<string> {
  return new Set(
    steps.flatMap(({ output, ask, outputVariableName }) =>
      output?.type === 'json' || ask ? [outputVariableName] : [],
    ),
  )
}

/** The checks remember what they read of each object, so a step is always the same one. */
const checked = new WeakMap<ChainStep, CheckedStep>()

export function stepsAsRun(steps: readonly ChainStep[]): CheckedStep[] {
  return steps.map((step) => {
    const known = checked.get(step)
    if (known) return known
    const { systemPrompt, messages, outputVariableName, output } = step
    const { onlyIf, default: value, ifItFails, stop, ask } = step
    const texts = { content: contentOf(step), systemPrompt, messages }
    const asRun = { ...texts, outputVariableName, output, onlyIf, default: value, ifItFails, stop, ask }
    checked.set(step, asRun)
    return asRun
  })
}
