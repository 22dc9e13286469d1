import type { FinishReason } from '@catenary/contracts'
import * as z from 'zod'
import type { RunAnswer } from '../../../runs/runs.ts'
import { refused } from '../gateway-error.ts'
import { anthropicError } from './anthropic-error.ts'
import type { SentAttachment } from './read-request.ts'
import {
  type ContentPart,
  contentPart,
  ignoredFields,
  model,
  parseBody,
  readAddress,
  readParts,
  stopTexts,
  tokenLimit,
} from './read-request.ts'
import { toolCallText, toolResultText } from './tool-history.ts'
import { requireMessages, type SentTurn, toMessages } from './turns.ts'
import {
  type ClientWire,
  choiceOf,
  estimateInput,
  frame,
  type ReplyHead,
  type SentMessages,
  usageOf,
} from './wire.ts'

const content = z.union([z.string(), z.array(contentPart)])
const countable = {
  model,
  system: content.nullish(),
  messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content })).min(1),
  tool_choice: z.looseObject({ type: z.string() }).nullish(),
}
const format = z.looseObject({ type: z.string(), schema: z.record(z.string(), z.unknown()).optional() })
const messagesRequest = z.looseObject({
  ...countable,
  max_tokens: tokenLimit,
  stream: z.boolean().nullish(),
  stop_sequences: stopTexts.nullish(),
  output_config: z.looseObject({ format: format.nullish() }).nullish(),
})
const countRequest = z.looseObject(countable)

type Countable = z.output<typeof countRequest>

const HONOURED = new Set([
  'model',
  'system',
  'messages',
  'max_tokens',
  'stream',
  'stop_sequences',
  'tool_choice',
])
/** Thoughts are an earlier answer's own; they ask for nothing. */
const TEXTS = { text: ['text'], dropped: ['thinking', 'redacted_thinking'] }
const PARTS = { ...TEXTS, attached: readAttached }
const STOP_REASONS: Record<FinishReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  content_filter: 'refusal',
  tool: 'end_turn',
  unknown: 'max_tokens',
}
/** A placeholder where a model would sign its thoughts. */
const SIGNATURE = 'catenary'

export const anthropicMessages: ClientWire = {
  path: '/v1/messages',
  heartbeat: ping(),

  read(body) {
    const request = parseBody(messagesRequest, body)
    const { max_tokens: maxTokens, stop_sequences: stop, output_config: output } = request
    return {
      model: request.model,
      ...readTurns(request),
      stream: request.stream === true,
      background: false,
      bounds: {
        maxTokens,
        ...(stop && stop.length > 0 && { stop }),
        ...(output?.format && { schema: toSchema(output.format) }),
      },
      ignored: [
        ...ignoredFields(request, new Set([...HONOURED, 'output_config'])),
        ...(output && Object.keys(output).some((name) => name !== 'format') ? ['output_config'] : []),
        ...(hasCacheMarks(request) ? ['cache_control'] : []),
        ...toolHistoryOf(request),
      ],
      includesUsage: true,
      echo: {},
    }
  },

  reply: ({ head, answer }) => ({
    ...message(head),
    content: [{ type: 'text', text: answer.text }],
    stop_reason: stopReason(answer),
    usage: usage(answer),
    ...choiceOf(head),
  }),

  async *frames({ head, events }) {
    const choice = choiceOf(head)
    const begun = { ...message(head), usage: usageAtStart(head) }
    yield event({ type: 'message_start', ...choice, message: { ...begun, ...choice } })
    let index = 0
    let isOpen = false
    const openText = () =>
      event({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } }) + ping()
    for await (const said of events) {
      if (said.type === 'failed') {
        yield event({ ...anthropicError(said.error).body, type: 'error' })
        return
      }
      if (said.type === 'progress') {
        yield thought({ index, text: said.text })
        index += 1
        continue
      }
      if (!isOpen) yield openText()
      isOpen = true
      if (said.type === 'text') {
        yield event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: said.text } })
        continue
      }
      yield event({ type: 'content_block_stop', index })
      const delta = { stop_reason: stopReason(said.answer), stop_sequence: null }
      yield event({ type: 'message_delta', delta, usage: usage(said.answer) })
      yield event({ type: 'message_stop' })
    }
  },
}

/** What POST /v1/messages/count_tokens counts. */
export function readCountRequest(body: unknown): SentMessages {
  const request = parseBody(countRequest, body)
  return readTurns(request)
}

function readTurns({ system, messages, tool_choice: choice }: Countable): SentMessages {
  if (choice && choice.type !== 'auto' && choice.type !== 'none') {
    throw refused('tool_choice', `${choice.type} is not supported: a chain can’t call its caller’s tools`)
  }
  const { texts: instructions } = readParts(system, { kinds: TEXTS, param: 'system' })
  const turns = messages.flatMap(toTurns)
  const all: SentTurn[] =
    instructions.join('') === '' ? turns : [{ role: 'system', parts: instructions }, ...turns]
  return requireMessages(toMessages(all), 'messages')
}

const isCall = ({ type }: ContentPart): boolean => type.endsWith('tool_use')
const isResult = ({ type }: ContentPart): boolean => type.endsWith('tool_result')

/** What tools gave back stands in the person's turn but is none of their words: it becomes a turn of its own. */
function toTurns({ role, content: said }: Countable['messages'][number], index: number): SentTurn[] {
  const kinds = { ...PARTS, told: tellCall }
  const { texts, attached } = readParts(said, { kinds, param: `messages.${index}.content` })
  const results = Array.isArray(said) ? said.filter(isResult) : []
  if (results.length === 0) return [{ role, parts: texts, attached }]
  const told: SentTurn = { role: 'assistant', parts: results.map((part) => toolResultText(part.content)) }
  if (texts.length + attached.length === 0) return [told]
  const own = { role, parts: texts, attached }
  return role === 'assistant' ? [own, told] : [told, own]
}

/** Earlier calls as text; their results are turns of their own. */
function tellCall(part: ContentPart): string[] | undefined {
  if (isCall(part)) return [toolCallText(part)]
  return isResult(part) ? [] : undefined
}

function toolHistoryOf({ messages }: Countable): string[] {
  const parts = messages.flatMap(({ content: said }) => (Array.isArray(said) ? said : []))
  return [
    ...(parts.some(isCall) ? ['messages.tool_use'] : []),
    ...(parts.some(isResult) ? ['messages.tool_result'] : []),
  ]
}

/** Files that were uploaded at the vendor are not here. */
function readAttached({ type, ...part }: ContentPart, at: string): SentAttachment | undefined {
  if (type !== 'image' && type !== 'document') return undefined
  const param = `${at}.source`
  const source = Object(part.source) as Record<string, unknown>
  const fileName = part.title
  if (source.type === 'url') return readAddress({ kind: type, address: source.url, fileName }, `${param}.url`)
  if (source.type !== 'base64' || typeof source.data !== 'string') {
    throw refused(param, 'only the types base64 and url are supported')
  }
  return readAddress({ kind: type, address: `data:;base64,${source.data}`, fileName }, `${param}.data`)
}

function toSchema({ type, schema }: z.output<typeof format>) {
  const param = 'output_config.format'
  if (type !== 'json_schema' || schema === undefined) {
    throw refused(param, `${type} is not supported: only json_schema with a schema`)
  }
  return { schema, param }
}

function hasCacheMarks({ system, messages }: Countable): boolean {
  const parts = [system, ...messages.map((turn) => turn.content)].flatMap((said) =>
    Array.isArray(said) ? said : [],
  )
  return parts.some((part) => part.cache_control !== undefined && part.cache_control !== null)
}

const message = ({ id, model: name }: ReplyHead) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model: name,
  content: [] as object[],
  stop_reason: null as string | null,
  stop_sequence: null,
})

const usageAtStart = ({ request }: ReplyHead) => ({ input_tokens: estimateInput(request), output_tokens: 0 })

const stopReason = ({ finishReason }: RunAnswer): string => STOP_REASONS[finishReason ?? 'stop']

function usage(answer: RunAnswer) {
  const { input, output, cached } = usageOf(answer)
  // Here the input is what no cache held.
  return { input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: output }
}

function event(data: { type: string; [field: string]: unknown }): string {
  return frame({ event: data.type, data })
}

function ping(): string {
  return frame({ event: 'ping', data: { type: 'ping' } })
}

function thought({ index, text }: { index: number; text: string }): string {
  const block = { type: 'thinking', thinking: '', signature: '' }
  const deltas = [
    { type: 'thinking_delta', thinking: text },
    { type: 'signature_delta', signature: SIGNATURE },
  ]
  return [
    event({ type: 'content_block_start', index, content_block: block }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ].join('')
}
