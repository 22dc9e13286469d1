import type { AskedSend, User } from '@catenary/contracts'
import type { Context } from '../../../../../platform/context.ts'

/** How calls of a type of tool go out. As methods, which a table takes for a union of types. */
export interface TypeInRun<Tool, Call> {
  /** Tries once. Throws `OutboundError`, and `ToolCallError` where the other side said nothing. */
  send(ctx: Context, sending: SendingOf<Tool, Call>): Promise<Sent>
  /** What a person reads of where it goes. */
  shown(tool: Tool): ShownSend<AskedSend>
}

export interface SendingOf<Tool, Call> {
  tool: Tool
  call: Call
  /** The same at each try of one call. */
  key: string
  /** How many chains deep whatever it starts would stand. */
  depth: number
  /** Whoever runs the step. */
  user: User
  /** Values that nothing which is told of the answer may hold. */
  sealed: ReadonlyMap<string, string>
  signal: AbortSignal
}

/** What the other side said; where it is busy, the same call may be tried again. */
export type Sent = { text: string } | { refusal: string; isBusy?: boolean; retryAfterMs?: number | undefined }

export type ShownSend<Send> = Send extends AskedSend
  ? Omit<Send, 'destination' | 'chainId' | 'position' | 'title' | 'isConfirmed'>
  : never
