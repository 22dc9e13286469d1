import type { Assertion, Condition, JsonOutput, StepAsk, StopRun } from '@catenary/contracts'

export interface ExamplePrompt {
  title: string
  category: string
  content: string
}

export type ExampleVariable = { name: string; content: string } & (
  | { type: 'text'; allowedValues?: readonly string[] }
  | { type: 'file'; fileName: string }
)

interface Titled {
  title: string
  onlyIf?: Condition
}

/** A step of kind `stop` has no output. */
export type ExampleStep = Titled &
  (
    | { outputVariableName: string; linkedPrompt?: string; content?: string; output?: JsonOutput }
    | { outputVariableName: string; ask: StepAsk }
    | { stop: StopRun }
  )

export interface ExampleChain {
  name: string
  description: string
  exampleRequests: readonly string[]
  steps: readonly ExampleStep[]
}

export interface ExampleSuite {
  name: string
  prompt: string
  tests: readonly { name: string; values?: Record<string, string>; assertions: Assertion[] }[]
}
