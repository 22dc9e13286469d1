import { type ApiExample, apiExamples } from './api-examples.ts'
import { folderExamples } from './folder-examples.ts'
import { mcpExamples } from './mcp-examples.ts'
import { promptExamples } from './prompt-examples.ts'

/** What a program connects to: prompts and chains as an agent sees them, a chain as a model, a prompt by its name, or all as files. */
export type ConnectSubject =
  | { way: 'mcp' }
  | { way: 'folder' }
  | {
      way: 'model'
      model: string
    }
  | {
      way: 'prompt'
      name: string
      variables: readonly string[]
    }
export type ConnectWay = ConnectSubject['way']

interface ConnectClient {
  name: string
  group?: 'Coding agents'
}

export const CONNECT_CLIENTS = [
  { name: 'Claude Code', group: 'Coding agents' },
  { name: 'Codex', group: 'Coding agents' },
  { name: 'Cursor', group: 'Coding agents' },
  { name: 'VS Code', group: 'Coding agents' },
  { name: 'OpenCode', group: 'Coding agents' },
  { name: 'OpenAI SDK' },
  { name: 'Anthropic SDK' },
  { name: 'AI SDK' },
  { name: 'LangChain' },
  { name: 'Langfuse' },
  { name: 'Open WebUI' },
  { name: 'CLI' },
  { name: 'curl' },
] as const satisfies readonly ConnectClient[]
export type ConnectClientName = (typeof CONNECT_CLIENTS)[number]['name']

interface ConnectExampleOptions {
  address: string
  subject: ConnectSubject
  /** What clients take in their line or file holds it; programs still read it from CATENARY_TOKEN. */
  token?: string | undefined
}

export function connectExamples({ address, subject, token }: ConnectExampleOptions): ApiExample[] {
  switch (subject.way) {
    case 'mcp':
      return mcpExamples({ address, token })
    case 'folder':
      return folderExamples({ address, token })
    case 'model':
      return apiExamples({ address, model: subject.model }).map((example) => exporting(example, token))
    case 'prompt':
      return promptExamples({ address, name: subject.name, variables: subject.variables }).map((example) =>
        exporting(example, token),
      )
  }
}

function exporting(example: ApiExample, token: string | undefined): ApiExample {
  const isCalling = example.language === 'Shell' && example.code.includes('CATENARY_TOKEN')
  return isCalling && token !== undefined
    ? { ...example, code: `export CATENARY_TOKEN=${token}\n${example.code}` }
    : example
}

const SAMPLES: Record<ConnectWay, ConnectSubject> = {
  mcp: { way: 'mcp' },
  model: { way: 'model', model: 'chain-1' },
  prompt: { way: 'prompt', name: 'prompt', variables: [] },
  folder: { way: 'folder' },
}

export function waysOf(client: ConnectClientName): ConnectWay[] {
  return (Object.keys(SAMPLES) as ConnectWay[]).filter((way) =>
    connectExamples({ address: '', subject: SAMPLES[way] }).some((example) => example.client === client),
  )
}
