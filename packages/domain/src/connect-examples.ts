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

export function connectExamples({
  address,
  subject,
}: {
  address: string
  subject: ConnectSubject
}): ApiExample[] {
  switch (subject.way) {
    case 'mcp':
      return mcpExamples({ address })
    case 'folder':
      return folderExamples({ address })
    case 'model':
      return apiExamples({ address, model: subject.model })
    case 'prompt':
      return promptExamples({ address, name: subject.name, variables: subject.variables })
  }
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
