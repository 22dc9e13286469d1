import type { FinishReason } from '@catenary/contracts'
import { isCacheable } from '@catenary/domain'
import type { ModelCall, ModelMessage, TokenCounts } from './model-types.ts'

/** What is known of an answer while it is read. */
export interface Answer extends TokenCounts {
  /** As the reply names it. */
  modelId: string | undefined
  finishReason: FinishReason
  /** The model wrote that it declines. */
  refused: boolean
  /** The API said that this was all. */
  ended: boolean
  /** With this the API goes on in another reply. */
  continuation: string | undefined
}

/** How one API is asked for an answer, and how it writes it down. */
export interface Wire {
  /** Stands in a base URL that names no version. */
  version: string
  headers(apiKey: string): Record<string, string>
  path(options: { modelId: string; streamed: boolean }): string
  body(options: {
    call: ModelCall
    modelId: string
    streamed: boolean
    continuation: string | undefined
  }): object
  /** Both give the text and note in the answer what else they read; they throw what the API reports. */
  readWhole(options: { body: string; answer: Answer }): string
  readEvent(options: { data: string; answer: Answer }): string
}

/** The turns of a call. */
export function turnsOf(call: ModelCall): readonly ModelMessage[] {
  return call.messages ?? [{ role: 'user', content: call.prompt }]
}

/** What a call says: plain texts, or blocks where the end of what calls begin with alike is marked. */
interface Said<Block> {
  system: string | Block[] | undefined
  turns: readonly { role: 'user' | 'assistant'; content: string | Block[] }[]
}

/** What a call says; the block that ends what calls begin with alike is marked, if that is long enough to be cached. */
export function markFixed<Block>(
  call: ModelCall,
  blockOf: (text: string, isMarked: boolean) => Block,
): Said<Block> {
  const { system = '', fixedLength } = call
  const turns = turnsOf(call)
  const plain = { system: system || undefined, turns }
  const [first, ...later] = turns
  if (fixedLength === undefined || first === undefined) return plain
  const { role, content } = first
  const fixed = content.slice(0, fixedLength)
  if (!isCacheable(system, fixed)) return plain
  if (fixed.trim() === '') return { system: [blockOf(system, true)], turns }
  const rest = content.slice(fixedLength)
  // A block of nothing but spaces is refused.
  const blocks = rest.trim() === '' ? [blockOf(content, true)] : [blockOf(fixed, true), blockOf(rest, false)]
  return { system: plain.system, turns: [{ role, content: blocks }, ...later] }
}

/** PostgreSQL's text holds no such character. */
const NUL = /\0/g

/** The value where it is a text; what an API leaves out is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replace(NUL, '\uFFFD') : ''
}

/** The largest count that a step's row holds. */
const COUNT_MAX = 2 ** 31 - 1

/** The value where it is a count of tokens. */
export function countOf(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 0 ? Math.min(Number(value), COUNT_MAX) : null
}

/** The sum of what was counted; null where nothing was. */
export function sumOf(...counts: (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null)
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0)
}
