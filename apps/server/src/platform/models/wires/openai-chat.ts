import type { AttachedPart } from '../model-types.ts'
import { UnknownFormError } from '../provider-error.ts'
import { noteFinish } from './finish-reasons.ts'
import { type InputDetails, noteCached, toOpenaiRequest } from './openai-request.ts'
import { carrierIn, readContent, readText } from './read-content.ts'
import { reportedError } from './vendor-error.ts'
import { type Answer, countOf, dataUrlOf, noteModel, type Wire } from './wire.ts'

interface Said extends Record<string, unknown> {
  content?: unknown
  refusal?: unknown
}
interface Choice {
  message?: unknown
  delta?: unknown
  /** Of the completions that came before. */
  text?: unknown
  finish_reason?: unknown
  error?: unknown
}
interface Completion {
  model?: unknown
  choices?: (Choice | null)[] | null
  usage?: {
    prompt_tokens?: unknown
    completion_tokens?: unknown
    prompt_tokens_details?: InputDetails | null
  } | null
  error?: unknown
}

export const openaiChat: Wire = {
  // A server of one's own may need no key.
  headers: (apiKey): Record<string, string> => (apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
  path: () => '/chat/completions',
  body: ({ call, modelId }) => bodyOf({ call, modelId, knowsMarks: false }),
  read({ value, answer }) {
    const { error, model, choices, usage } = Object(value) as Completion
    noteModel(answer, model)
    if (usage) {
      answer.inputTokens = countOf(usage.prompt_tokens)
      answer.outputTokens = countOf(usage.completion_tokens)
      noteCached(answer, usage.prompt_tokens_details)
    }
    if (error || !Array.isArray(choices)) return undefined
    const [choice] = choices
    return choice ? readChoice(choice, answer) : ''
  },
}

/** The same at OpenAI itself, which knows what other servers may refuse. */
export const openaiOwnChat: Wire = {
  ...openaiChat,
  body: ({ call, modelId }) => ({
    ...bodyOf({ call, modelId, knowsMarks: true }),
    prompt_cache_key: call.cacheKey,
  }),
}

function attached(part: AttachedPart): object {
  const data = dataUrlOf(part)
  return part.type === 'image'
    ? { type: 'image_url', image_url: { url: data } }
    : { type: 'file', file: { filename: part.fileName, file_data: data } }
}

function bodyOf(request: Omit<Parameters<typeof toOpenaiRequest>[0], 'textType' | 'attached'>): object {
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
    stream: true,
    stream_options: { include_usage: true },
  }
}

function readChoice({ error, delta, message, text, finish_reason }: Choice, answer: Answer): string {
  if (error) throw reportedError(error)
  noteFinish(answer, finish_reason)
  const said = delta ?? message ?? text
  if (typeof said !== 'object' || said === null) return readContent(said, answer)
  const { content, refusal } = said as Said
  const declined = readText(refusal)
  if (declined !== '') answer.refused = true
  const read = readContent(content, answer) + declined
  return read === '' ? readOthers({ text, ...said, content: '', refusal: '' }, answer) : read
}

/** What a message has in place of a content: a text of that name, or what models write beside their answer. */
function readOthers({ text, ...others }: Record<string, unknown>, answer: Answer): string {
  const at = carrierIn(others)
  if (at !== undefined) throw new UnknownFormError(`“message.${at}”`)
  const names = Object.keys(others).filter((name) => !BESIDE.test(name) && isSaid(others[name]))
  answer.unknown ??= names.map((name) => `message.${name}`)[0]
  return readContent(text, answer)
}

const BESIDE = /^(role|name|id)$|reasoning|think|tool|function_call|annotations|citations/
const isSaid = (value: unknown) => (typeof value === 'string' || Array.isArray(value)) && value.length > 0
