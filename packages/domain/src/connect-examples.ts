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
      /** `chain-7`; for a Best Chain token any name. */
      model: string
    }
  | {
      way: 'prompt'
      /** The prompt's slug. */
      name: string
      /** Names of its variables that the program fills in. */
      variables: readonly string[]
    }
export type ConnectWay = ConnectSubject['way']

interface ConnectClient {
  name: string
  /** Clients that people choose between within one place. */
  group?: 'Coding agents'
}

/** Every client that has an example, in the order in which people look for them. */
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

/** How every client reaches the subject, ready to be pasted. */
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

/** By which ways a client reaches anything here. */
export function waysOf(client: ConnectClientName): ConnectWay[] {
  return (Object.keys(SAMPLES) as ConnectWay[]).filter((way) =>
    connectExamples({ address: '', subject: SAMPLES[way] }).some((example) => example.client === client),
  )
}
