import type { FinishReason } from '@catenary/contracts'
import type { AttachedPart } from './model-types.ts'
import { type InputDetails, noteCached, toOpenaiRequest } from './openai-request.ts'
import { reportedError } from './provider-error.ts'
import { type Answer, countOf, dataUrlOf, textOf, type Wire } from './wire.ts'

interface Part {
  type: string
  text?: unknown
  refusal?: unknown
}
interface Reply {
  model?: unknown
  output: { type: string; content?: Part[] }[]
  incomplete_details?: { reason?: string } | null
  usage?: {
    input_tokens?: unknown
    output_tokens?: unknown
    input_tokens_details?: InputDetails | null
  } | null
  error?: unknown
}
type ResponsesEvent =
  | { type: 'response.output_text.delta' | 'response.refusal.delta'; delta: unknown }
  | { type: 'response.created' | 'response.completed' | 'response.incomplete'; response: Reply }
  | { type: 'response.failed'; response: Reply }
  | { type: 'error'; error?: unknown }

const FINISH_REASONS: Record<string, FinishReason> = {
  max_output_tokens: 'length',
  content_filter: 'content_filter',
}

function attached(part: AttachedPart): object {
  const data = dataUrlOf(part)
  return part.type === 'image'
    ? { type: 'input_image', detail: 'auto', image_url: data }
    : { type: 'input_file', filename: part.fileName, file_data: data }
}

/** OpenAI's Responses API. */
export const openaiResponses: Wire = {
  version: 'v1',
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  path: () => '/responses',
  body({ call, modelId, streamed }) {
    const { messages, cacheOptions, maxTokens, temperature, schema } = toOpenaiRequest({
      call,
      modelId,
      textType: 'input_text',
      attached,
      knowsMarks: true,
    })
    return {
      model: modelId,
      input: messages,
      temperature,
      max_output_tokens: maxTokens,
      reasoning: call.effort && { effort: call.effort },
      text: schema && { format: { type: 'json_schema', ...schema } },
      store: false,
      prompt_cache_key: call.cacheKey,
      prompt_cache_options: cacheOptions,
      stream: streamed || undefined,
    }
  },
  readWhole({ body, answer }) {
    const reply = JSON.parse(body) as Reply
    if (reply.error) throw reportedError(reply.error)
    const parts = reply.output.flatMap(({ type, content }) => (type === 'message' ? (content ?? []) : []))
    answer.refused = parts.some(({ type }) => type === 'refusal')
    noteEnd({ reply, answer })
    return parts.map(({ text, refusal }) => textOf(text) + textOf(refusal)).join('')
  },
  readEvent({ data, answer }) {
    const event = JSON.parse(data) as ResponsesEvent
    switch (event.type) {
      case 'response.refusal.delta':
        answer.refused = true
        return textOf(event.delta)
      case 'response.output_text.delta':
        return textOf(event.delta)
      case 'response.completed':
      case 'response.incomplete':
        noteEnd({ reply: event.response, answer })
        return ''
      case 'response.failed':
        throw reportedError(event.response.error)
      case 'error':
        throw reportedError(event.error ?? event)
      default:
        return ''
    }
  },
}

function noteEnd({ reply, answer }: { reply: Reply; answer: Answer }): void {
  answer.modelId = textOf(reply.model)
  answer.inputTokens = countOf(reply.usage?.input_tokens)
  answer.outputTokens = countOf(reply.usage?.output_tokens)
  if (reply.usage) noteCached(answer, reply.usage.input_tokens_details)
  const reason = reply.incomplete_details?.reason
  answer.finishReason = reason === undefined ? 'stop' : (FINISH_REASONS[reason] ?? 'other')
  answer.ended = true
}
