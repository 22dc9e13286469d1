import * as z from 'zod'
import type { RunMessage } from '../../../runs/runs.ts'
import { refused } from '../gateway-error.ts'
import { readResponseFormat, refuseForcedTool } from './openai-common.ts'
import { promptReference, readPromptReference } from './prompt-reference.ts'
import type { SentAttachment } from './read-request.ts'
import {
  type ContentPart,
  contentPart,
  ignoredFields,
  model,
  parseBody,
  readAddress,
  readParts,
  tokenLimit,
} from './read-request.ts'
import { createResponseEvents } from './response-events.ts'
import { messageItem, responseObject, statusOf } from './response-object.ts'
import { toolCallText, toolResultText } from './tool-history.ts'
import { requireMessages, type SentTurn, toMessages } from './turns.ts'
import type { ClientWire, SentMessages } from './wire.ts'

const inputItem = z.looseObject({
  type: z.string().nullish(),
  role: z.string().nullish(),
  content: z.union([z.string(), z.array(contentPart)]).nullish(),
})
const input = z.union([z.string(), z.array(inputItem).min(1)])
const commonFields = {
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: tokenLimit.nullish(),
  text: z.looseObject({ format: z.unknown().optional() }).nullish(),
  tool_choice: z.unknown().optional(),
  previous_response_id: z.string().nullish(),
  conversation: z.unknown().optional(),
  background: z.boolean().nullish(),
  store: z.boolean().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
}
const chainRequest = z.looseObject({ ...commonFields, model, input, prompt: z.null().optional() })
/** A prompt brings its own text, and its default model. */
const promptRequest = z.looseObject({
  ...commonFields,
  model: model.nullish(),
  input: input.nullish(),
  prompt: promptReference,
})
type ResponsesRequest = z.output<typeof chainRequest> | z.output<typeof promptRequest>

const HONOURED: ReadonlySet<string> = new Set([
  ...['model', 'input', 'instructions', 'stream', 'max_output_tokens', 'text', 'tool_choice'],
  ...['previous_response_id', 'conversation', 'background', 'prompt'],
])
const HONOURED_LATER: ReadonlySet<string> = new Set([...HONOURED, 'store'])
const PARTS = { text: ['input_text', 'output_text', 'text', 'refusal'], attached: readAttached }
const ROLES: Record<string, RunMessage['role']> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
}

export const openaiResponses: ClientWire = {
  path: '/v1/responses',
  heartbeat: ': waiting\n\n',

  read(body) {
    const request: ResponsesRequest = namesPrompt(body)
      ? parseBody(promptRequest, body)
      : parseBody(chainRequest, body)
    refuseWhatChangesTheMeaning(request)
    const { instructions, metadata, text, max_output_tokens: maxTokens } = request
    const background = request.background === true
    const schema = readResponseFormat({ param: 'text.format', value: text?.format })
    return {
      model: request.model ?? '',
      ...readTurns(request),
      ...(request.prompt && { prompt: readPromptReference(request.prompt) }),
      stream: request.stream === true,
      background,
      bounds: { maxTokens: maxTokens ?? undefined, ...(schema && { schema }) },
      ignored: [
        ...ignoredFields(request, background ? HONOURED_LATER : HONOURED),
        ...toolHistoryOf(request),
        ...(text && Object.keys(text).some((name) => name !== 'format') ? ['text'] : []),
      ],
      includesUsage: true,
      echo: {
        instructions: instructions ?? null,
        metadata: metadata ?? {},
        max_output_tokens: maxTokens ?? null,
        text: { format: text?.format ?? { type: 'text' } },
        ...(background && { background, store: true }),
      },
    }
  },

  reply({ head, answer }) {
    const item = messageItem({ head, text: answer.text, status: statusOf(answer) })
    return responseObject({ head, status: statusOf(answer), output: [item], answer })
  },

  async *frames({ head, events }) {
    const say = createResponseEvents(head)
    yield say.begin()
    for await (const said of events) {
      if (said.type === 'progress') yield say.thought(said.text)
      if (said.type === 'text') yield say.text(said.text)
      if (said.type === 'failed') yield say.failed(said.error)
      if (said.type !== 'done') continue
      yield say.done({ answer: said.answer, status: statusOf(said.answer) })
    }
  },
}

const namesPrompt = (body: unknown): boolean => {
  const { prompt } = Object(body) as { prompt?: unknown }
  return prompt !== undefined && prompt !== null
}

function refuseWhatChangesTheMeaning(request: ResponsesRequest): void {
  const absent = (value: unknown) => value === undefined || value === null
  if (!absent(request.previous_response_id)) {
    throw refused('previous_response_id', 'not supported: no conversation is stored, send all of its turns')
  }
  if (!absent(request.conversation)) throw refused('conversation', 'not supported: no conversation is stored')
  if (request.background === true) refuseBeside(request)
  refuseForcedTool({ param: 'tool_choice', value: request.tool_choice })
}

/** What an answer that is fetched later can't be: sent now, not kept, or a prompt's, whose run ends with the call. */
function refuseBeside({ stream, store, prompt }: ResponsesRequest): void {
  if (stream === true) throw refused('stream', 'not supported with background: fetch the response by its id')
  if (store === false)
    throw refused('store', 'must not be false with background: the response is kept until it is fetched')
  if (prompt) throw refused('background', 'not supported with prompt: the run ends with the call')
}

function readTurns({ instructions, input, prompt }: ResponsesRequest): SentMessages {
  const turns: SentTurn[] =
    typeof input === 'string' ? [{ role: 'user', parts: [input] }] : (input ?? []).flatMap(toTurn)
  const all = toMessages(instructions ? [{ role: 'system', parts: [instructions] }, ...turns] : turns)
  return prompt ? all : requireMessages(all, 'input')
}

const isCall = (type: string): boolean => type.endsWith('_call')
const isOutput = (type: string): boolean => type.endsWith('_call_output')

function toolHistoryOf({ input }: ResponsesRequest): string[] {
  const types = typeof input === 'string' ? [] : (input ?? []).map(({ type }) => type ?? '')
  return [
    ...(types.some(isCall) ? ['input.function_call'] : []),
    ...(types.some(isOutput) ? ['input.function_call_output'] : []),
  ]
}

function toTurn(item: z.output<typeof inputItem>, index: number): SentTurn[] {
  const { type, role, content } = item
  const param = `input.${index}`
  // An earlier answer's own thoughts ask for nothing.
  if (type === 'reasoning') return []
  // What a tool gave back is no word of the person's.
  if (type && isCall(type)) return [{ role: 'assistant', parts: [toolCallText(item)] }]
  if (type && isOutput(type)) return [{ role: 'assistant', parts: [toolResultText(item.output)] }]
  if (type !== undefined && type !== null && type !== 'message') {
    throw refused(param, `items of the type ${type} are not supported`)
  }
  const known = ROLES[role ?? '']
  if (known === undefined) throw refused(`${param}.role`, `${role ?? 'none'} is not supported`)
  const { texts, attached } = readParts(content, { kinds: PARTS, param: `${param}.content` })
  return [{ role: known, parts: texts, attached }]
}

/** Files that were uploaded at the vendor are not here. */
function readAttached(part: ContentPart, param: string): SentAttachment | undefined {
  if (part.type === 'input_image') {
    return readAddress({ kind: 'image', address: part.image_url }, `${param}.image_url`)
  }
  if (part.type !== 'input_file') return undefined
  const { file_data, file_url, filename: fileName } = part
  return typeof file_url === 'string'
    ? readAddress({ kind: 'document', address: file_url, fileName }, `${param}.file_url`)
    : readAddress({ kind: 'document', address: file_data, fileName }, `${param}.file_data`)
}
