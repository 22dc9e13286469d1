import { outputTokensOf } from '../default-models.ts'
import type { ModelCall } from '../model-types.ts'
import { noteFinish } from './finish-reasons.ts'
import { readContent } from './read-content.ts'
import {
  type Answer,
  type Blocks,
  countOf,
  markFixed,
  maxTokensOf,
  noteModel,
  schemaFor,
  sumOf,
  type Wire,
} from './wire.ts'

type Usage = Partial<
  Record<
    'input_tokens' | 'cache_creation_input_tokens' | 'cache_read_input_tokens' | 'output_tokens',
    unknown
  >
>
interface Message {
  model?: unknown
  content?: unknown
  stop_reason?: unknown
  usage?: Usage | null
}
interface MessagesEvent extends Message {
  type?: unknown
  message?: Message
  content_block?: unknown
  delta?: unknown
}

/** Each call names the longest answer that it wants: by default all that the model can write. */
const OLDER_MODELS = [
  /claude-(instant|v?[23])(?=$|[-.:])/,
  /claude-(sonnet|opus)-4-6/,
  /claude-(sonnet|opus|haiku)-4-5|claude-sonnet-4[-@]/,
  /claude-opus-4(-[01]|-2025|@)/,
]
const FOREIGN_MAX_TOKENS = 4_096

export const anthropicMessages: Wire = {
  headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
  path: () => '/messages',
  body({ call, modelId }) {
    const { system, turns } = markFixed(call, BLOCKS)
    return {
      model: modelId,
      ...limitsOf({ call, modelId }),
      thinking: thinkingOf({ call, modelId }),
      stop_sequences: call.stop,
      system,
      messages: turns,
      output_config: outputOf(call),
      stream: true,
    }
  },
  read({ value, answer }) {
    const event = Object(value) as MessagesEvent
    switch (event.type) {
      case 'content_block_delta':
        return readContent(event.delta, answer)
      case 'content_block_start':
        return readContent(event.content_block, answer)
      case 'message_start':
        noteMessage({ message: event.message ?? {}, answer })
        return readContent(event.message?.content, answer)
      case 'message_delta':
        noteMessage({ message: { ...(event.delta as Message), usage: event.usage ?? null }, answer })
        return ''
      case 'message_stop':
        answer.ended = true
        return ''
      case 'message':
        noteMessage({ message: event, answer })
        return readContent(event.content, answer)
      case 'content_block_stop':
      case 'ping':
        return ''
      default:
        return undefined
    }
  },
}

const BLOCKS: Blocks<object> = {
  text: (text, isMarked) => ({
    type: 'text',
    text,
    cache_control: isMarked ? { type: 'ephemeral' } : undefined,
  }),
  attached: ({ type, mediaType: media_type, data }) => ({
    type,
    source: { type: 'base64', media_type, data },
  }),
}

function noteMessage({ message, answer }: { message: Omit<Message, 'content'>; answer: Answer }): void {
  const { model, stop_reason, usage } = message
  noteModel(answer, model)
  const { ended } = answer
  noteFinish(answer, stop_reason)
  // Its streams say so in an event of its own.
  answer.ended = ended
  if (!usage) return
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage
  const input = countOf(input_tokens)
  if (input !== null) {
    // The end of a stream may leave out what its beginning said.
    answer.cachedTokens = countOf(cache_read_input_tokens) ?? answer.cachedTokens ?? 0
    answer.cacheWriteTokens = countOf(cache_creation_input_tokens) ?? answer.cacheWriteTokens ?? 0
    answer.inputTokens = sumOf(input, answer.cachedTokens, answer.cacheWriteTokens)
  }
  answer.outputTokens = countOf(output_tokens)
}

function outputOf({ effort, schema }: ModelCall) {
  const asked = effort === 'none' ? undefined : effort
  if (asked === undefined && schema === undefined) return undefined
  return { effort: asked, format: schema && { type: 'json_schema', schema: schemaFor('anthropic', schema) } }
}

/** Those that take an effort and do not know this: they think no more than their effort says. */
const WITHOUT_ADAPTIVE = /claude-opus-4-5/

function thinkingOf({ call: { effort, temperature }, modelId }: { call: ModelCall; modelId: string }) {
  if (effort === undefined || WITHOUT_ADAPTIVE.test(modelId)) return undefined
  if (effort === 'none') return { type: 'disabled' }
  // Where both are known, a model that thinks refuses a temperature.
  return temperature === undefined || !takesTemperature(modelId) ? { type: 'adaptive' } : undefined
}

const takesTemperature = (modelId: string) => !modelId.includes('claude-') || isOlder(modelId)

const isOlder = (modelId: string) => OLDER_MODELS.some((ids) => ids.test(modelId))

function limitsOf({ call, modelId }: { call: ModelCall; modelId: string }) {
  const { temperature } = call
  const maxTokens = maxTokensOf(call)
  if (!modelId.includes('claude-')) return { max_tokens: maxTokens ?? FOREIGN_MAX_TOKENS, temperature }
  const max = outputTokensOf(modelId) ?? FOREIGN_MAX_TOKENS
  return {
    max_tokens: Math.min(maxTokens ?? max, max),
    // The newest models refuse one, and the older ones more than 1.
    temperature: isOlder(modelId) && temperature !== undefined ? Math.min(temperature, 1) : undefined,
  }
}
