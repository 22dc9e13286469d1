import type { Assertion } from '@catenary/contracts'

export interface ExamplePrompt {
  title: string
  category: string
  content: string
}

export type ExampleVariable = { name: string; content: string } & (
  | { type: 'text'; allowedValues?: readonly string[] }
  | { type: 'file'; fileName: string }
)

export interface ExampleStep {
  title: string
  outputVariableName: string
  linkedPrompt?: string
  content?: string
}

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
