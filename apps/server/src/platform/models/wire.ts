import type { FinishReason } from '@catenary/contracts'
import type { ModelCall } from './model-types.ts'

/** What is known of an answer while it is read. */
export interface Answer {
  /** As the reply names it. */
  modelId: string | undefined
  inputTokens: number | null
  outputTokens: number | null
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
export function turnsOf(call: ModelCall): readonly { role: 'user' | 'assistant'; content: string }[] {
  return call.messages ?? [{ role: 'user', content: call.prompt }]
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
