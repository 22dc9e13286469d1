import type { Grant } from '../../tokens/tokens.ts'

/** One call of a client. */
export interface McpCall {
  grant: Grant
  /** Name and version, as the client says; may be empty. */
  client: string
  /** Aborts when the client leaves. */
  signal: AbortSignal
}
