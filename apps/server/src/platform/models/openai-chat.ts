import type { FinishReason } from '@catenary/contracts'
import type { AttachedPart } from './model-types.ts'
import { type InputDetails, noteCached, toOpenaiRequest } from './openai-request.ts'
import { reportedError } from './provider-error.ts'
import { type Answer, countOf, dataUrlOf, textOf, type Wire } from './wire.ts'

interface Said {
  content?: unknown
  refusal?: unknown
}
interface Completion {
  model?: unknown
  choices?: { message?: Said; delta?: Said; finish_reason?: string | null }[]
  usage?: {
    prompt_tokens?: unknown
    completion_tokens?: unknown
    prompt_tokens_details?: InputDetails | null
  } | null
  error?: unknown
}

const FINISH_REASONS: Record<string, FinishReason> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content_filter',
  tool_calls: 'tool',
  function_call: 'tool',
}
const LAST_EVENT = '[DONE]'

/** OpenAI's Chat Completions API, which other servers speak too. */
export const openaiChat: Wire = {
  version: 'v1',
  // A server of one's own may want no key.
  headers: (apiKey): Record<string, string> => (apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
  path: () => '/chat/completions',
  body: ({ call, modelId, streamed }) => bodyOf({ call, modelId, streamed, knowsMarks: false }),
  readWhole({ body, answer }) {
    const completion = JSON.parse(body) as Completion
    if (!completion.choices?.length) throw new TypeError('a completion has a choice')
    answer.ended = true
    return read({ completion, answer })
  },
  readEvent({ data, answer }) {
    if (data !== LAST_EVENT) return read({ completion: JSON.parse(data) as Completion, answer })
    answer.ended = true
    return ''
  },
}

/** The same at OpenAI itself, which knows what other servers may refuse. */
export const openaiOwnChat: Wire = {
  ...openaiChat,
  body: ({ call, modelId, streamed }) => ({
    ...bodyOf({ call, modelId, streamed, knowsMarks: true }),
    prompt_cache_key: call.cacheKey,
  }),
}

function attached(part: AttachedPart): object {
  const data = dataUrlOf(part)
  return part.type === 'image'
    ? { type: 'image_url', image_url: { url: data } }
    : { type: 'file', file: { filename: part.fileName, file_data: data } }
}

function bodyOf({
  streamed,
  ...request
}: Omit<Parameters<typeof toOpenaiRequest>[0], 'textType' | 'attached'> & { streamed: boolean }): object {
  const { call, modelId } = request
  const { thinks, messages, cacheOptions, maxTokens, temperature, schema } = toOpenaiRequest({
    ...request,
    textType: 'text',
    attached,
  })
  return {
    model: modelId,
    messages,
    prompt_cache_options: cacheOptions,
    temperature,
    [thinks ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
    reasoning_effort: call.effort,
    stop: call.stop,
    response_format: schema && { type: 'json_schema', json_schema: schema },
    ...(streamed && { stream: true, stream_options: { include_usage: true } }),
  }
}

function read({ completion, answer }: { completion: Completion; answer: Answer }): string {
  const { error, model, choices, usage } = completion
  if (error) throw reportedError(error)
  if (model) answer.modelId = textOf(model)
  if (usage) {
    answer.inputTokens = countOf(usage.prompt_tokens)
    answer.outputTokens = countOf(usage.completion_tokens)
    noteCached(answer, usage.prompt_tokens_details)
  }
  const choice = choices?.[0]
  const said = choice?.delta ?? choice?.message
  const refusal = textOf(said?.refusal)
  if (refusal !== '') answer.refused = true
  if (choice?.finish_reason) {
    answer.finishReason = FINISH_REASONS[choice.finish_reason] ?? 'other'
    answer.ended = true
  }
  return textOf(said?.content) + refusal
}
