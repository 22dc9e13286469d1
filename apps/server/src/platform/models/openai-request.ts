import { THINKS } from './default-models.ts'
import type { ModelCall } from './model-types.ts'
import { type Answer, countOf, markFixed, turnsOf } from './wire.ts'

interface Request {
  call: ModelCall
  modelId: string
}

/** From here on a request is cached up to a mark only: by default its end, which no other request has. */
const CACHES_TO_MARKS = /^gpt-(5\.([6-9]|\d\d+)|[6-9]|\d\d+)(?=[-.]|$)/

/** What both APIs of OpenAI are sent alike; a model that thinks takes no temperature. */
export function toOpenaiRequest({
  call,
  modelId,
  textType,
}: Request & {
  /** What the API calls a text of a request, where it knows marks. */
  textType?: 'text' | 'input_text'
}) {
  const thinks = THINKS.test(modelId)
  const marks = textType !== undefined && CACHES_TO_MARKS.test(modelId)
  const blockOf = (text: string, isMarked: boolean) => ({
    type: textType,
    text,
    prompt_cache_breakpoint: isMarked ? { mode: 'explicit' } : undefined,
  })
  const { system, turns } = marks
    ? markFixed(call, blockOf)
    : { system: call.system || undefined, turns: turnsOf(call) }
  const role = thinks ? 'developer' : 'system'
  const isMarked = [system, ...turns.map(({ content }) => content)].some(Array.isArray)
  return {
    thinks,
    messages: [...(system === undefined ? [] : [{ role, content: system }]), ...turns],
    // What follows the mark is new in each run, and writing it would cost; a conversation's next turn reads it.
    cacheOptions: isMarked && turns.length === 1 ? { mode: 'explicit' } : undefined,
    temperature: thinks ? undefined : call.temperature,
    schema: call.schema && { ...call.schema, strict: true },
  }
}

/** What both APIs of OpenAI tell of the input. */
export interface InputDetails {
  cached_tokens?: unknown
  cache_write_tokens?: unknown
}

/** Notes what of the input was read from the cache and written to it. */
export function noteCached(answer: Answer, details: InputDetails | null | undefined): void {
  answer.cachedTokens = countOf(details?.cached_tokens) ?? 0
  answer.cacheWriteTokens = countOf(details?.cache_write_tokens) ?? 0
}
