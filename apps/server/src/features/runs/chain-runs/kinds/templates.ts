import type { PlannedStep } from '../../engine/planned-step.ts'
import { joinTemplates, type RenderedStep, renderStep } from '../../engine/step-templates.ts'
import type { StepValues } from './kind-in-run.ts'

/** Of a kind whose texts are content, system prompt and turns. */
export const TEMPLATES = {
  texts: (step: PlannedStep): string => joinTemplates(templatesOf(step)),
  render: (step: PlannedStep, values: StepValues): RenderedStep =>
    renderStep({ templates: templatesOf(step), ...values }),
}

const templatesOf = ({ template: content, systemPrompt, messages = [] }: PlannedStep) => ({
  content,
  systemPrompt,
  messages,
})
