import { CHAIN_INPUT } from '@catenary/contracts'

export interface RunMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export type RunInput = string | RunMessage[]

interface StoredInput {
  userInput: string
  variableValues: Record<string, string>
}

const LABELS = { system: 'System', user: 'User', assistant: 'Assistant' }

export function toStoredInput(
  input: RunInput,
  {
    values = {},
    transcript,
  }: { values?: Record<string, string>; transcript?: RunMessage[] | undefined } = {},
): StoredInput {
  const asked = toTexts(input)
  const { lastMessage, whole } = CHAIN_INPUT
  const userInput = transcript === undefined ? asked.whole : transcriptOf(transcript)
  return {
    userInput,
    variableValues: {
      ...withoutInput(values),
      ...(asked.last !== asked.whole && { [lastMessage]: asked.last }),
      ...(asked.whole !== userInput && { [whole]: asked.whole }),
    },
  }
}

function toTexts(input: RunInput): { whole: string; last: string } {
  if (typeof input === 'string') return { whole: input, last: input }
  const last = input.findLast(({ role }) => role === 'user')?.content ?? ''
  const [only] = input
  return { whole: input.length === 1 && only?.role === 'user' ? last : transcriptOf(input), last }
}

function transcriptOf(messages: RunMessage[]): string {
  return messages.map(({ role, content }) => `${LABELS[role]}: ${content}`).join('\n\n')
}

function withoutInput(all: Record<string, string>): Record<string, string> {
  const { [CHAIN_INPUT.lastMessage]: _last, [CHAIN_INPUT.whole]: _whole, ...values } = all
  return values
}

export function toRunValues({ variableValues }: StoredInput): Map<string, string> {
  return new Map(Object.entries(withoutInput(variableValues)))
}

export function toRunInput({ userInput, variableValues }: StoredInput): Map<string, string> {
  const { [CHAIN_INPUT.whole]: whole = userInput, [CHAIN_INPUT.lastMessage]: last = whole } = variableValues
  return new Map([
    [CHAIN_INPUT.whole, whole],
    [CHAIN_INPUT.lastMessage, last],
  ])
}

/** Whoever starts a run may send JSON: a field of a text that is none has no value. */
export const jsonInputs = (): Map<string, string> => new Map([[CHAIN_INPUT.lastMessage, 'the input']])
