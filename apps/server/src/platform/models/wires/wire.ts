import type { Effort, FinishReason } from '@catenary/contracts'
import { forVendor, isCacheable, type Vendor } from '@catenary/domain'
import type {
  AskedSchema,
  AttachedPart,
  ModelCall,
  ModelMessage,
  ModelPart,
  TokenCounts,
} from '../model-types.ts'

export interface Answer extends TokenCounts {
  modelId: string | undefined
  finishReason: FinishReason
  /** The vendor's word where it says that it broke the answer off. */
  failure: string | undefined
  refused: boolean
  /** What of the reply may be an answer, of which only a reply without any text makes an error. */
  unknown: string | undefined
  /** What pieces of the text have brought, where a whole at the end repeats it. */
  said: string
  isEndSaid: boolean
  ended: boolean
  continuation: string | undefined
}

export interface Wire {
  headers(apiKey: string): Record<string, string>
  path(options: { modelId: string }): string
  body(options: { call: ModelCall; modelId: string; continuation: string | undefined }): object
  /** Gives an event's or a whole reply's text, and notes what else it says; undefined for what is not of this API. */
  read(options: { value: unknown; answer: Answer }): string | undefined
}

export function newAnswer(): Answer {
  return {
    modelId: undefined,
    inputTokens: null,
    outputTokens: null,
    cachedTokens: null,
    cacheWriteTokens: null,
    finishReason: 'stop',
    failure: undefined,
    refused: false,
    unknown: undefined,
    said: '',
    isEndSaid: false,
    ended: false,
    continuation: undefined,
  }
}

export function turnsOf(call: ModelCall): readonly ModelMessage[] {
  return call.messages ?? [{ role: 'user', content: call.prompt }]
}

export function schemaFor(vendor: Vendor, { schema, isOwn }: AskedSchema): object {
  return isOwn ? forVendor(schema, vendor) : schema
}

/** Tokens that a model may think beside its answer: all vendors count them toward the most that it may write. */
const THINKING_ROOM: Record<Effort, number> = { none: 0, low: 4_096, medium: 16_384, high: 32_768 }

/** The most that a model may write: the answer of that length, and the thoughts before it where they were asked for. */
export function maxTokensOf({ maxTokens, effort = 'none' }: Pick<ModelCall, 'maxTokens' | 'effort'>) {
  return maxTokens === undefined ? undefined : maxTokens + THINKING_ROOM[effort]
}

export function textOfTurn({ content }: Pick<ModelMessage, 'content'>): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

export interface Blocks<Block> {
  text(text: string, isMarked: boolean): Block
  attached(part: AttachedPart): Block
}

type PlainTurn = ModelMessage & { content: string }

interface SaidTurn<Block> {
  role: 'user' | 'assistant'
  content: string | Block[]
}

interface Said<Block> {
  system: string | Block[] | undefined
  turns: readonly SaidTurn<Block>[]
}

export function sayPlain<Block>(call: ModelCall, blocks: Blocks<Block>): Said<Block> {
  const turns = turnsOf(call)
  const isPlain = (turn: ModelMessage): turn is PlainTurn => typeof turn.content === 'string'
  return {
    system: call.system || undefined,
    turns: turns.every(isPlain) ? turns : turns.map((turn) => sayTurn(turn, blocks)),
  }
}

function sayTurn<Block>({ role, content }: ModelMessage, blocks: Blocks<Block>): SaidTurn<Block> {
  return { role, content: typeof content === 'string' ? content : sayParts(content, blocks) }
}

/** A block of nothing but spaces is refused. */
function sayParts<Block>(parts: readonly ModelPart[], blocks: Blocks<Block>): Block[] {
  return parts.flatMap((part) => {
    if (part.type !== 'text') return [blocks.attached(part)]
    return part.text.trim() === '' ? [] : [blocks.text(part.text, false)]
  })
}

/** What a call says; the block that ends what calls begin with alike is marked, if that is long enough to be cached. */
export function markFixed<Block>(call: ModelCall, blocks: Blocks<Block>): Said<Block> {
  const { system = '', fixedLength } = call
  const plain = sayPlain(call, blocks)
  const [first] = turnsOf(call)
  if (fixedLength === undefined || first === undefined) return plain
  const { role, content: said } = first
  const [content, parts] = beginningOf(said)
  const fixed = content.slice(0, fixedLength)
  if (!isCacheable(system, fixed)) return plain
  if (fixed.trim() === '') return { system: [blocks.text(system, true)], turns: plain.turns }
  const rest = content.slice(fixedLength)
  const marked =
    rest.trim() === '' ? [blocks.text(content, true)] : [blocks.text(fixed, true), blocks.text(rest, false)]
  const begun = { role, content: [...marked, ...sayParts(parts, blocks)] }
  return { system: plain.system, turns: [begun, ...plain.turns.slice(1)] }
}

function beginningOf(content: ModelMessage['content']): [string, readonly ModelPart[]] {
  if (typeof content === 'string') return [content, []]
  const [first, ...later] = content
  return first?.type === 'text' ? [first.text, later] : ['', content]
}

export function dataUrlOf({ mediaType, data }: AttachedPart): string {
  return `data:${mediaType};base64,${data}`
}

export function noteModel(answer: Answer, name: unknown): void {
  if (typeof name === 'string' && name !== '') answer.modelId = name.replaceAll('\0', '\uFFFD')
}

/** The largest count that a step's row holds. */
const COUNT_MAX = 2 ** 31 - 1

export function countOf(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 0 ? Math.min(Number(value), COUNT_MAX) : null
}

export function sumOf(...counts: (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null)
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0)
}
