import type { AskedSettings, Turn } from '@catenary/contracts'
import type { JsonOutputs, ToolCall } from '@catenary/domain'
import type { KnownValue } from './attachments.ts'
import { MissingValueError } from './run-ending.ts'
import { INPUT_MAX, renderStepInput, type StepInput } from './step-input.ts'

export interface StepTemplates {
  content: string
  systemPrompt: string
  messages: readonly Turn[]
}

export interface RenderedStep extends Omit<StepInput, 'fixedLength'> {
  systemPrompt: string
  messages: Turn[]
  /** How much of the first turn is the same in each call; undefined where the system prompt is not. */
  fixedLength: number | undefined
  /** What goes out, of a step that calls a service. */
  call?: ToolCall
}

export const joinTemplates = ({ content, systemPrompt, messages }: StepTemplates): string =>
  [systemPrompt, ...messages.map((turn) => turn.content), content].filter((text) => text !== '').join('\n')

/** Puts the values into the content, and by the same rules into system prompt and turns; together they have a bound. Throws for a file in one of these. */
export function renderStep({
  templates,
  ...values
}: {
  templates: StepTemplates
  variables: ReadonlyMap<string, KnownValue>
  outputs?: ReadonlyMap<string, string>
  jsonOutputs?: JsonOutputs
}): RenderedStep {
  const input = renderStepInput({ source: templates.content, ...values })
  let left = INPUT_MAX - input.text.length
  let { resolved } = input
  const render = (source: string) => {
    const rendered = renderStepInput({ source, ...values, maxLength: left })
    const [file] = rendered.placed
    if (file !== undefined)
      throw new MissingValueError(
        `$<${file.attachment.name}> is a file, which can only be used in the content`,
      )
    left -= rendered.text.length
    resolved = { ...rendered.resolved, ...resolved }
    return rendered
  }
  const system = render(templates.systemPrompt)
  const turns = templates.messages.map(({ role, content }) => ({ role, ...render(content) }))
  const isSystemFixed = system.fixedLength === templates.systemPrompt.length
  const [first = input] = turns
  return {
    ...input,
    resolved,
    systemPrompt: system.text,
    messages: turns.map(({ role, text }) => ({ role, content: text })),
    fixedLength: isSystemFixed ? first.fixedLength : undefined,
  }
}

type Asked = { [Name in 'effort' | 'temperature' | 'maxTokens' | 'output']?: AskedSettings[Name] | null } & {
  stop?: readonly string[] | null | undefined
}

export function toAsked({ effort, temperature, maxTokens, stop, output }: Asked): AskedSettings | null {
  const asked = {
    ...(effort && { effort }),
    ...(temperature != null && { temperature }),
    ...(maxTokens != null && { maxTokens }),
    ...(stop && stop.length > 0 && { stop: [...stop] }),
    ...(output && { output }),
  }
  return Object.keys(asked).length === 0 ? null : asked
}
