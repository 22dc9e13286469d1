import { estimateTokens, isCacheable } from '@catenary/domain'
import type { FakeVendor } from './fake-reply.ts'

interface FakeRequest {
  vendor: FakeVendor
  body: Record<string, unknown>
}

/** What a vendor's cache does to a request's count of tokens. */
interface CacheCounts {
  inputTokens: number | undefined
  cachedTokens: number
  cacheWriteTokens: number
}

interface Block {
  text?: unknown
  cache_control?: unknown
  prompt_cache_breakpoint?: unknown
}

const KEPT = 20
/** OpenAI's older models count so, and Gemini nearly. */
const STEP = 128

/** Remembers what requests begin with, as the vendors do: up to their marks, or where there are none, as far as they are alike. */
export function createFakeCache() {
  const kept: { key: unknown; text: string }[] = []
  const keep = (entry: (typeof kept)[number]) => {
    kept.push(entry)
    if (kept.length > KEPT) kept.shift()
  }
  return {
    clear: () => void kept.splice(0),
    /** Takes the request in. */
    count({ vendor, body }: FakeRequest): CacheCounts {
      const blocks = blocksOf(body)
      const text = textOf(blocks)
      if (!isCacheable(text)) return { inputTokens: undefined, cachedTokens: 0, cacheWriteTokens: 0 }
      const inputTokens = estimateTokens(text).tokens
      const key = vendor === 'openai' ? body.prompt_cache_key : undefined
      const marked = textOf(blocks.slice(0, 1 + blocks.findLastIndex(isMarked)))
      if (vendor === 'anthropic' || marked !== '') {
        const tokens = isCacheable(marked) ? estimateTokens(marked).tokens : 0
        if (kept.some((one) => one.key === key && one.text === marked)) {
          return { inputTokens, cachedTokens: tokens, cacheWriteTokens: 0 }
        }
        if (tokens > 0) keep({ key, text: marked })
        return { inputTokens, cachedTokens: 0, cacheWriteTokens: tokens }
      }
      const alike = Math.max(0, ...kept.map((one) => (one.key === key ? sharedLength(one.text, text) : 0)))
      keep({ key, text })
      const shared = text.slice(0, alike)
      const tokens = isCacheable(shared) ? estimateTokens(shared).tokens : 0
      return { inputTokens, cachedTokens: tokens - (tokens % STEP), cacheWriteTokens: 0 }
    },
  }
}

const isMarked = ({ cache_control, prompt_cache_breakpoint }: Block) =>
  cache_control !== undefined || prompt_cache_breakpoint !== undefined

const textOf = (blocks: Block[]) => blocks.map(({ text }) => (typeof text === 'string' ? text : '')).join('')

/** What a request says, in any vendor's form, in its order. */
function blocksOf({ system, systemInstruction, messages, input, contents }: FakeRequest['body']): Block[] {
  return [system, systemInstruction, messages, input, contents].flatMap(toBlocks)
}

function toBlocks(part: unknown): Block[] {
  if (typeof part === 'string') return [{ text: part }]
  if (Array.isArray(part)) return part.flatMap(toBlocks)
  if (typeof part !== 'object' || part === null) return []
  const { content, parts } = part as Record<string, unknown>
  return content === undefined && parts === undefined ? [part] : toBlocks(content ?? parts)
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}
