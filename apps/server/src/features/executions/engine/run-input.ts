import { CHAIN_INPUT } from '@catenary/contracts'

/** A turn of a conversation. */
export interface RunMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** What a run is started with: a text, or the messages of a request (D28). */
export type RunInput = string | RunMessage[]

/** How an input is kept with the run. */
interface StoredInput {
  /** `{{input_context}}`. */
  userInput: string
  /** `{{input}}`, where it is another text. */
  variableValues: Record<string, string>
}

const LABELS = { system: 'System', user: 'User', assistant: 'Assistant' }

export function toStoredInput(input: RunInput, values: Record<string, string> = {}): StoredInput {
  if (typeof input === 'string') return { userInput: input, variableValues: withoutInput(values) }
  const [only] = input
  if (input.length === 1 && only?.role === 'user') return { userInput: only.content, variableValues: {} }
  const transcript = input.map(({ role, content }) => `${LABELS[role]}: ${content}`).join('\n\n')
  const lastOfUser = input.findLast(({ role }) => role === 'user')?.content ?? ''
  return { userInput: transcript, variableValues: { [CHAIN_INPUT.lastMessage]: lastOfUser } }
}

/** A variable of that name would pass for the last message. */
function withoutInput({ [CHAIN_INPUT.lastMessage]: _, ...values }: Record<string, string>) {
  return values
}

/** What names of variables stand for in the run, whatever is stored. */
export function toRunValues({ variableValues }: StoredInput): Map<string, string> {
  return new Map(Object.entries(withoutInput(variableValues)))
}

/** The values of the double-brace references with which a run begins. */
export function toRunInput({ userInput, variableValues }: StoredInput): Map<string, string> {
  return new Map([
    [CHAIN_INPUT.whole, userInput],
    [CHAIN_INPUT.lastMessage, variableValues[CHAIN_INPUT.lastMessage] ?? userInput],
  ])
}
