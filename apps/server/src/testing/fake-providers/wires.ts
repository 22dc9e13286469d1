import type { FakeAnswer, FakeVendor, FakeWire } from './fake-reply.ts'

const CREATED = 1_790_000_000
interface NamedEvent {
  type: string
  [field: string]: unknown
}
const namedEvent = (data: NamedEvent) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`
const joined = ({ pieces }: FakeAnswer) => pieces.join('')

const anthropicStop = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' } as const

const anthropicInput = ({ inputTokens, cachedTokens, cacheWriteTokens }: FakeAnswer) => ({
  input_tokens: inputTokens - cachedTokens - cacheWriteTokens,
  cache_creation_input_tokens: cacheWriteTokens,
  cache_read_input_tokens: cachedTokens,
})

const anthropicMessages: FakeWire = {
  json: (answer) => ({
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model: answer.modelId,
    content: [{ type: 'text', text: joined(answer) }],
    stop_reason: anthropicStop[answer.finish],
    stop_sequence: null,
    usage: { ...anthropicInput(answer), output_tokens: answer.outputTokens },
  }),
  opening: (answer) =>
    namedEvent({
      type: 'message_start',
      message: {
        id: 'msg_fake',
        type: 'message',
        role: 'assistant',
        model: answer.modelId,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...anthropicInput(answer), output_tokens: 1 },
      },
    }) +
    namedEvent({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: '' },
    }) +
    namedEvent({ type: 'ping' }),
  piece: ({ text }) =>
    namedEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  closing: (answer) =>
    namedEvent({ type: 'content_block_stop', index: 0 }) +
    namedEvent({
      type: 'message_delta',
      delta: { stop_reason: anthropicStop[answer.finish], stop_sequence: null },
      usage: { output_tokens: answer.outputTokens },
    }) +
    namedEvent({ type: 'message_stop' }),
  errorEvent: ({ message, errorType = 'overloaded_error' }) =>
    namedEvent({ type: 'error', error: { type: errorType, message } }),
}

const openaiStop = { stop: 'stop', length: 'length', refusal: 'content_filter' } as const

const openaiDetails = ({ cachedTokens, cacheWriteTokens }: FakeAnswer) => ({
  cached_tokens: cachedTokens,
  cache_write_tokens: cacheWriteTokens,
})
const chatUsage = (answer: FakeAnswer) => ({
  prompt_tokens: answer.inputTokens,
  prompt_tokens_details: openaiDetails(answer),
  completion_tokens: answer.outputTokens,
  total_tokens: answer.inputTokens + answer.outputTokens,
})
const chatChunk = ({ modelId, ...rest }: { modelId: string; choices: unknown[]; usage?: unknown }) =>
  event({ id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: CREATED, model: modelId, ...rest })

const openaiChat: FakeWire = {
  json: (answer) => ({
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: CREATED,
    model: answer.modelId,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: joined(answer), refusal: null },
        finish_reason: openaiStop[answer.finish],
      },
    ],
    usage: chatUsage(answer),
  }),
  opening: ({ modelId }) =>
    chatChunk({
      modelId,
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
    }),
  piece: ({ text, answer: { modelId } }) =>
    chatChunk({ modelId, choices: [{ index: 0, delta: { content: text }, finish_reason: null }] }),
  closing: (answer) =>
    chatChunk({
      modelId: answer.modelId,
      choices: [{ index: 0, delta: {}, finish_reason: openaiStop[answer.finish] }],
    }) +
    chatChunk({ modelId: answer.modelId, choices: [], usage: chatUsage(answer) }) +
    'data: [DONE]\n\n',
  errorEvent: ({ message, errorType = 'server_error' }) =>
    event({ error: { message, type: errorType, param: null, code: errorType } }),
}

const responsesMessage = (text: string) => ({
  type: 'message',
  id: 'item_fake',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const responsesBody = (answer: FakeAnswer) => ({
  id: 'resp_fake',
  object: 'response',
  created_at: CREATED,
  status: answer.finish === 'stop' ? 'completed' : 'incomplete',
  error: null,
  incomplete_details:
    answer.finish === 'stop'
      ? null
      : { reason: answer.finish === 'length' ? 'max_output_tokens' : 'content_filter' },
  model: answer.modelId,
  output: [responsesMessage(joined(answer))],
  usage: {
    input_tokens: answer.inputTokens,
    input_tokens_details: openaiDetails(answer),
    output_tokens: answer.outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: answer.inputTokens + answer.outputTokens,
  },
})

const openaiResponses: FakeWire = {
  json: responsesBody,
  opening: (answer) => {
    const response = { ...responsesBody(answer), status: 'in_progress', output: [], usage: null }
    const item = { type: 'message', id: 'item_fake', status: 'in_progress', role: 'assistant', content: [] }
    return (
      namedEvent({ type: 'response.created', sequence_number: 0, response }) +
      namedEvent({ type: 'response.in_progress', sequence_number: 1, response }) +
      namedEvent({ type: 'response.output_item.added', sequence_number: 2, output_index: 0, item })
    )
  },
  piece: ({ text }) =>
    namedEvent({
      type: 'response.output_text.delta',
      sequence_number: 3,
      item_id: 'item_fake',
      output_index: 0,
      content_index: 0,
      delta: text,
    }),
  closing: (answer) =>
    namedEvent({
      type: 'response.output_item.done',
      sequence_number: 4,
      output_index: 0,
      item: responsesMessage(joined(answer)),
    }) +
    namedEvent({
      type: answer.finish === 'stop' ? 'response.completed' : 'response.incomplete',
      sequence_number: 5,
      response: responsesBody(answer),
    }),
  errorEvent: ({ message, errorType = 'server_error' }) =>
    namedEvent({ type: 'error', sequence_number: 3, code: errorType, message, param: null }),
}

const geminiStop = { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' } as const

const geminiChunk = ({ text, answer, last }: { text: string; answer: FakeAnswer; last: boolean }) => ({
  candidates: [
    {
      content: { role: 'model', parts: [{ text }] },
      ...(last && { finishReason: geminiStop[answer.finish] }),
      index: 0,
    },
  ],
  usageMetadata: {
    promptTokenCount: answer.inputTokens,
    // Not said where there is none.
    cachedContentTokenCount: answer.cachedTokens || undefined,
    candidatesTokenCount: answer.outputTokens,
    totalTokenCount: answer.inputTokens + answer.outputTokens,
  },
  modelVersion: answer.modelId,
  responseId: 'fake-response',
})

const geminiGenerate: FakeWire = {
  json: (answer) => geminiChunk({ text: joined(answer), answer, last: true }),
  opening: () => '',
  piece: ({ text, answer }) => event(geminiChunk({ text, answer, last: false })),
  closing: (answer) => event(geminiChunk({ text: '', answer, last: true })),
  errorEvent: ({ message, errorType = 'UNAVAILABLE' }) =>
    event({ error: { code: geminiStatus(errorType), message, status: errorType } }),
}

/** The wire that a path belongs to; undefined for a path the vendor does not have. */
export function wireOf({ vendor, path }: { vendor: FakeVendor; path: string }): FakeWire | undefined {
  if (vendor === 'anthropic') return path === '/v1/messages' ? anthropicMessages : undefined
  if (vendor === 'gemini') {
    return /^\/v1beta\/models\/[^/]+:(generate|streamGenerate)Content$/.test(path)
      ? geminiGenerate
      : undefined
  }
  if (path === '/v1/chat/completions') return openaiChat
  return path === '/v1/responses' ? openaiResponses : undefined
}

const anthropicErrors: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}
const openaiErrors: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'invalid_api_key',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
}
const geminiErrors: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

function geminiStatus(word: string): number {
  const named = Object.entries(geminiErrors).find(([, name]) => name === word)
  return named === undefined ? 500 : Number(named[0])
}

const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo'

/** A failure in the vendor's own envelope. */
export function errorBody({
  vendor,
  status,
  message,
  errorType,
  retryDelay,
}: {
  vendor: FakeVendor
  status: number
  message: string
  errorType?: string
  retryDelay?: string
}): unknown {
  if (vendor === 'anthropic') {
    const type = errorType ?? anthropicErrors[status] ?? 'api_error'
    return { type: 'error', error: { type, message }, request_id: 'req_fake' }
  }
  if (vendor === 'gemini') {
    const details = [
      ...(errorType === undefined ? [] : [{ reason: errorType }]),
      ...(retryDelay === undefined ? [] : [{ '@type': RETRY_INFO, retryDelay }]),
    ]
    const error = { code: status, message, status: geminiErrors[status] ?? 'INTERNAL' }
    return { error: details.length === 0 ? error : { ...error, details } }
  }
  const type = errorType ?? openaiErrors[status] ?? 'server_error'
  return { error: { message, type, param: null, code: type } }
}

/** The models that a vendor names, as it lists them. */
export function modelList({ vendor, models }: { vendor: FakeVendor; models: string[] }): object {
  if (vendor === 'gemini') return { models: models.map((id) => ({ name: `models/${id}` })) }
  return { object: 'list', data: models.map((id) => ({ id, object: 'model' })) }
}
