import type { AttachedPart } from '../model-types.ts'
import { UnknownFormError } from '../provider-error.ts'
import { noteFinish } from './finish-reasons.ts'
import { type InputDetails, noteCached, toOpenaiRequest } from './openai-request.ts'
import { carrierIn, readContent, readText } from './read-content.ts'
import { reportedError } from './vendor-error.ts'
import { type Answer, countOf, dataUrlOf, noteModel, type Wire } from './wire.ts'

interface Item {
  type?: unknown
  content?: unknown
}
interface Reply {
  model?: unknown
  status?: unknown
  output?: Item[] | null
  /** As some servers have it beside, or in place of, the items. */
  output_text?: unknown
  incomplete_details?: { reason?: unknown } | null
  usage?: {
    input_tokens?: unknown
    output_tokens?: unknown
    input_tokens_details?: InputDetails | null
  } | null
  error?: unknown
}
interface ResponsesEvent {
  type?: unknown
  delta?: unknown
  item?: Item
  response?: Reply
}

/** These begin or end what other events say, or tell what a model writes beside its answer. */
const BESIDE =
  /^response\.(created|in_progress|queued|output_item\.added|content_part\.|output_text\.(done|annotation)|refusal\.done|reasoning|function_call|custom_tool|mcp_|compaction|[a-z_]+_call[._])|^(keepalive|ping)$/

function attached(part: AttachedPart): object {
  const data = dataUrlOf(part)
  return part.type === 'image'
    ? { type: 'input_image', detail: 'auto', image_url: data }
    : { type: 'input_file', filename: part.fileName, file_data: data }
}

export const openaiResponses: Wire = {
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  path: () => '/responses',
  body({ call, modelId }) {
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
      stream: true,
    }
  },
  read({ value, answer }) {
    const event = Object(value) as ResponsesEvent & Reply
    const { type, delta, item, response } = event
    switch (type) {
      case undefined:
        return readReply(event, answer)
      case 'response.refusal.delta':
        answer.refused = true
        return say(readText(delta), answer)
      case 'response.output_text.delta':
        return say(readContent(delta, answer), answer)
      case 'response.output_item.done':
        // Of servers that send no pieces.
        return answer.said === '' && item ? say(readItem(item, answer), answer) : ''
      case 'response.completed':
      case 'response.incomplete':
      case 'response.done':
      case 'response.failed':
      case 'response.cancelled':
        return response ? readReply(response, answer) : undefined
      default:
        return BESIDE.test(String(type)) ? '' : undefined
    }
  },
}

/** A whole response: the text that no piece of a stream has brought before. */
function readReply(reply: Reply, answer: Answer): string | undefined {
  const { error, model, status, output, output_text, usage, incomplete_details: incomplete } = reply
  if (error) throw reportedError(error)
  if (output === undefined && output_text === undefined && status === undefined) return undefined
  noteModel(answer, model)
  answer.inputTokens = countOf(usage?.input_tokens)
  answer.outputTokens = countOf(usage?.output_tokens)
  if (usage) noteCached(answer, usage.input_tokens_details)
  noteFinish(answer, incomplete?.reason ?? status)
  answer.ended = true
  const items = (output ?? []).map((item) => readItem(item, answer)).join('')
  const whole = items === '' ? readContent(output_text, answer) : items
  return whole.startsWith(answer.said) ? say(whole.slice(answer.said.length), answer) : ''
}

/** Of what the model did only its messages are its answer. */
function readItem(item: Item, answer: Answer): string {
  const { type, content } = item
  if (type === 'message' || type === undefined) return readContent(content, answer)
  const isBeside = /reasoning|^mcp_|^compaction|_call(_output)?$/.test(String(type))
  const at = isBeside && type !== 'image_generation_call' ? undefined : carrierIn(item)
  if (at !== undefined) throw new UnknownFormError(`an item of the type “${String(type)}” with “${at}”`)
  return ''
}

function say(text: string, answer: Answer): string {
  answer.said += text
  return text
}
