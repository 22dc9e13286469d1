import { THINKS } from '../default-models.ts'
import type { ModelCall } from '../model-types.ts'
import { type Answer, type Blocks, countOf, markFixed, maxTokensOf, sayPlain, schemaFor } from './wire.ts'

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
  attached,
  knowsMarks,
}: Request & {
  textType: 'text' | 'input_text'
  attached: Blocks<object>['attached']
  knowsMarks: boolean
}) {
  const thinks = THINKS.test(modelId)
  const blocks: Blocks<object> = {
    text: (text, isMarked) => ({
      type: textType,
      text,
      prompt_cache_breakpoint: isMarked ? { mode: 'explicit' } : undefined,
    }),
    attached,
  }
  const marks = knowsMarks && CACHES_TO_MARKS.test(modelId)
  const { system, turns } = marks ? markFixed(call, blocks) : sayPlain(call, blocks)
  const role = thinks ? 'developer' : 'system'
  const isMarked = marks && (Array.isArray(system) || isMarkedTurn(turns[0]?.content))
  return {
    thinks,
    messages: [...(system === undefined ? [] : [{ role, content: system }]), ...turns],
    // What follows the mark is new in each run, and writing it would cost; a conversation's next turn reads it.
    cacheOptions: isMarked && turns.length === 1 ? { mode: 'explicit' } : undefined,
    maxTokens: maxTokensOf(call),
    temperature: thinks ? undefined : call.temperature,
    schema: call.schema && {
      name: call.schema.name,
      schema: schemaFor('openai', call.schema),
      strict: true,
    },
  }
}

function isMarkedTurn(content: string | object[] | undefined): boolean {
  const blocks = Array.isArray(content) ? content : []
  return blocks.some((block) => 'prompt_cache_breakpoint' in block && block.prompt_cache_breakpoint)
}

export interface InputDetails {
  cached_tokens?: unknown
  cache_write_tokens?: unknown
}

export function noteCached(answer: Answer, details: InputDetails | null | undefined): void {
  answer.cachedTokens = countOf(details?.cached_tokens) ?? 0
  answer.cacheWriteTokens = countOf(details?.cache_write_tokens) ?? 0
}
