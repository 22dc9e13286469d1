import type { Grant } from '../../tokens/tokens.ts'

export interface McpCall {
  grant: Grant
  /** Name and version, as the client says; may be empty. */
  client: string
  signal: AbortSignal
}
