import type { FinishReason } from '@catenary/contracts'
import * as z from 'zod'
import type { RunAnswer, RunMessage } from '../../../runs/runs.ts'
import { refused } from '../gateway-error.ts'
import { openaiEventFields, readResponseFormat, refuseForcedTool } from './openai-common.ts'
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
import { type ClientWire, choiceOf, frame, type ReplyHead, usageOf } from './wire.ts'

const chatRequest = z.looseObject({
  model,
  messages: z
    .array(
      z.looseObject({
        role: z.string(),
        content: z.union([z.string(), z.array(contentPart)]).nullish(),
        tool_calls: z.array(z.unknown()).nullish(),
        function_call: z.unknown().optional(),
      }),
    )
    .min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: tokenLimit.nullish(),
  max_completion_tokens: tokenLimit.nullish(),
  stop: z.union([z.string(), stopTexts]).nullish(),
  response_format: z.unknown().optional(),
  tool_choice: z.unknown().optional(),
  function_call: z.unknown().optional(),
  n: z.number().nullish(),
  logprobs: z.boolean().nullish(),
  modalities: z.array(z.string()).nullish(),
})
type ChatRequest = z.output<typeof chatRequest>

const HONOURED = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'stop'],
  ...['response_format', 'tool_choice', 'function_call', 'n', 'logprobs', 'modalities'],
])
const PARTS = { text: ['text', 'refusal'], attached: readAttached }
const ROLES: Record<string, RunMessage['role']> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  // What a tool gave back is no word of the person's.
  tool: 'assistant',
  function: 'assistant',
}
const FINISH_REASONS: Record<FinishReason, string> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content_filter',
  tool: 'stop',
  unknown: 'length',
}

export const openaiChat: ClientWire = {
  path: '/v1/chat/completions',
  heartbeat: ': waiting\n\n',

  read(body) {
    const request = parseBody(chatRequest, body)
    refuseWhatChangesTheMeaning(request)
    const stop = [request.stop ?? []].flat()
    const schema = readResponseFormat({ param: 'response_format', value: request.response_format })
    return {
      model: request.model,
      ...requireMessages(toMessages(request.messages.map(toTurn)), 'messages'),
      stream: request.stream === true,
      background: false,
      bounds: {
        maxTokens: request.max_completion_tokens ?? request.max_tokens ?? undefined,
        ...(stop.length > 0 && { stop }),
        ...(schema && { schema }),
      },
      ignored: [...ignoredFields(request, HONOURED), ...toolHistoryOf(request)],
      includesUsage: request.stream_options?.include_usage === true,
      echo: {},
    }
  },

  reply: ({ head, answer }) => ({
    ...shape(head, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answer.text, refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: finishReason(answer),
      },
    ],
    usage: usage(answer),
    ...choiceOf(head),
  }),

  async *frames({ head, events }) {
    const { includesUsage } = head.request
    const chunk = (delta: object, finish: string | null = null, beside: object = {}) =>
      frame({
        data: {
          ...shape(head, 'chat.completion.chunk'),
          ...beside,
          choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
          ...(includesUsage && { usage: null }),
        },
      })
    yield chunk({ role: 'assistant', content: '', refusal: null }, null, choiceOf(head))
    for await (const said of events) {
      if (said.type === 'text') yield chunk({ content: said.text })
      if (said.type === 'failed') {
        yield frame({ data: { error: openaiEventFields(said.error) } })
        return
      }
      if (said.type !== 'done') continue
      yield chunk({}, finishReason(said.answer))
      if (includesUsage) {
        const whole = { choices: [], usage: usage(said.answer) }
        yield frame({ data: { ...shape(head, 'chat.completion.chunk'), ...whole } })
      }
      yield 'data: [DONE]\n\n'
    }
  },
}

function refuseWhatChangesTheMeaning(request: ChatRequest): void {
  refuseForcedTool({ param: 'tool_choice', value: request.tool_choice })
  refuseForcedTool({ param: 'function_call', value: request.function_call })
  if ((request.n ?? 1) !== 1) throw refused('n', 'only one answer is supported')
  if (request.logprobs === true) throw refused('logprobs', 'not supported')
  const other = request.modalities?.find((modality) => modality !== 'text')
  if (other !== undefined) throw refused('modalities', `${other} is not supported: a chain answers in text`)
}

function toTurn(said: ChatRequest['messages'][number], index: number): SentTurn {
  const param = `messages.${index}`
  const role = ROLES[said.role]
  if (role === undefined) throw refused(`${param}.role`, `${said.role} is not supported`)
  if (isToolResult(said)) return { role, parts: [toolResultText(said.content)] }
  const { texts, attached } = readParts(said.content, { kinds: PARTS, param: `${param}.content` })
  return { role, parts: [...texts, ...callsOf(said).map(toolCallText)], attached }
}

type SentMessage = ChatRequest['messages'][number]

const isToolResult = ({ role }: SentMessage): boolean => role === 'tool' || role === 'function'
const callsOf = ({ tool_calls: calls, function_call: call }: SentMessage): unknown[] => [
  ...(calls ?? []),
  ...(call === undefined || call === null ? [] : [call]),
]

function toolHistoryOf({ messages }: ChatRequest): string[] {
  const calls = messages.some((said) => callsOf(said).length > 0) ? ['messages.tool_calls'] : []
  return messages.some(isToolResult) ? [...calls, 'messages.tool'] : calls
}

function readAttached(part: ContentPart, param: string): SentAttachment | undefined {
  if (part.type === 'image_url') {
    const { url: address } = Object(part.image_url) as { url?: unknown }
    return readAddress({ kind: 'image', address }, `${param}.image_url.url`)
  }
  if (part.type !== 'file') return undefined
  const { file_data: address, filename: fileName } = Object(part.file) as Record<string, unknown>
  return readAddress({ kind: 'document', address, fileName }, `${param}.file.file_data`)
}

const shape = ({ id, createdAt, model: name }: ReplyHead, object: string) => ({
  id: `chatcmpl-${id}`,
  object,
  created: Math.floor(createdAt.getTime() / 1_000),
  model: name,
})

const finishReason = ({ finishReason: reason }: RunAnswer): string => FINISH_REASONS[reason ?? 'stop']

function usage(answer: RunAnswer) {
  const { input, output, cached } = usageOf(answer)
  return {
    prompt_tokens: input,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens: output,
    total_tokens: input + output,
  }
}
