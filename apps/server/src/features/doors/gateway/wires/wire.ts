import type { BestChainChoice } from '@catenary/contracts'
import { estimateTokens } from '@catenary/domain'
import type { AnswerBounds, RunAnswer, RunMessage } from '../../../runs/runs.ts'
import type { GatewayError } from '../gateway-error.ts'
import type { PromptReference } from './prompt-reference.ts'
import type { SentAttachment } from './read-request.ts'

export interface ChainRequest {
  model: string
  messages: RunMessage[]
  /** All that was sent, where that is more than what is asked. */
  transcript?: RunMessage[]
  attached?: SentAttachment[]
  /** A stored prompt to run in place of a chain, with the messages after its text. */
  prompt?: PromptReference
  stream: boolean
  /** The run goes on without its caller, who fetches the answer later. */
  background: boolean
  bounds: AnswerBounds
  /** Fields that have no meaning for a chain (D43). */
  ignored: string[]
  /** On chat: a last chunk with the usage is wanted. */
  includesUsage: boolean
  /** What the vendor's reply gives back as it came. */
  echo: Record<string, unknown>
}

export type SentMessages = Pick<ChainRequest, 'messages' | 'transcript' | 'attached'>

/** The fields of a reply that don't depend on the outcome. */
export interface ReplyHead {
  /** Without the mark that a vendor puts before it. */
  id: string
  createdAt: Date
  model: string
  request: ChainRequest
  bestChain: BestChainChoice | undefined
}

export type ReplyEvent =
  | { type: 'progress'; text: string }
  | { type: 'text'; text: string }
  | { type: 'done'; answer: RunAnswer }
  | { type: 'failed'; error: GatewayError }

export interface ErrorReply {
  status: number
  body: object
}

export interface ClientWire {
  path: string
  /** Throws a GatewayError that names what is refused. */
  read(body: unknown): ChainRequest
  reply(options: { head: ReplyHead; answer: RunAnswer }): object
  frames(options: { head: ReplyHead; events: AsyncIterable<ReplyEvent> }): AsyncGenerator<string>
  /** Keeps a silent line open. */
  heartbeat: string
}

export function frame({ event, data }: { event?: string; data: object }): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** The tokens that all steps took, those read from a cache being part of the input; 0 where a provider did not count. */
export function usageOf({ inputTokens, outputTokens, cachedTokens }: RunAnswer) {
  const input = inputTokens ?? 0
  // Of several models one may count what it cached, and another nothing at all.
  return { input, output: outputTokens ?? 0, cached: Math.min(cachedTokens ?? 0, input) }
}

/** An estimate: which models a chain asks is its own affair. */
export function estimateInput({ messages, transcript = messages }: SentMessages): number {
  return transcript.reduce((sum, { content }) => sum + estimateTokens(content).tokens, 0)
}

/** Beside the vendor's fields, where a chain was chosen (D40). */
export function choiceOf({ bestChain }: Pick<ReplyHead, 'bestChain'>): { best_chain?: BestChainChoice } {
  return bestChain === undefined ? {} : { best_chain: bestChain }
}
