import type { FAKE_WIRES } from './start-models-on-fake.ts'

type WireName = (typeof FAKE_WIRES)[number]['name']

/** What a model wrote, before a wire writes it down. */
interface OddPart {
  is: 'text' | 'thought' | 'unknown' | 'empty'
  text: string
}

/** An answer of one wire, as no answer of a fake model is. */
export interface OddAnswer {
  parts: readonly OddPart[]
  /** The vendor's word for the end; undefined: the usual one, null: none. */
  finish?: string | null | undefined
}

/** How a wire writes such an answer: in one piece, and in events of which each part is one. */
export interface OddWriter {
  whole(answer: OddAnswer): Record<string, unknown>
  events(answer: OddAnswer): unknown[]
  /** Replies that hold no answer at all. */
  nothing: Record<string, unknown>[]
}

const PART_OF_LATER = 'rich_text_of_2031'

const chatPart = ({ is, text }: OddPart) =>
  is === 'thought'
    ? { type: 'thinking', thinking: [{ type: 'text', text }] }
    : is === 'empty'
      ? { type: PART_OF_LATER, id: 'x' }
      : { type: is === 'unknown' ? PART_OF_LATER : 'text', text }
const chatUsage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }
const chat: OddWriter = {
  whole: ({ parts, finish = 'stop' }) => ({
    id: 'c1',
    object: 'chat.completion',
    model: 'm',
    choices: [
      { index: 0, message: { role: 'assistant', content: parts.map(chatPart) }, finish_reason: finish },
    ],
    usage: chatUsage,
  }),
  events: ({ parts, finish = 'stop' }) => [
    ...parts.map((part) => ({
      choices: [{ index: 0, delta: { content: [chatPart(part)] }, finish_reason: null }],
    })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { choices: [], usage: chatUsage },
    '[DONE]',
  ],
  nothing: [{ id: null, choices: null, model: null, usage: null }, { choices: [] }],
}

const block = ({ is, text }: OddPart) =>
  is === 'thought'
    ? { type: 'thinking', thinking: text, signature: 's' }
    : is === 'empty'
      ? { type: PART_OF_LATER, id: 'x' }
      : { type: is === 'unknown' ? PART_OF_LATER : 'text', text }
const blockDelta = ({ is, text }: OddPart) =>
  is === 'thought'
    ? { type: 'thinking_delta', thinking: text }
    : { ...block({ is, text }), type: is === 'text' ? 'text_delta' : PART_OF_LATER }
const anthropic: OddWriter = {
  whole: ({ parts, finish = 'end_turn' }) => ({
    type: 'message',
    model: 'm',
    content: parts.map(block),
    stop_reason: finish,
    usage: { input_tokens: 5, output_tokens: 3 },
  }),
  events: ({ parts, finish = 'end_turn' }) => [
    {
      type: 'message_start',
      message: { model: 'm', content: [], usage: { input_tokens: 5, output_tokens: 1 } },
    },
    ...parts.map((part, index) => ({ type: 'content_block_delta', index, delta: blockDelta(part) })),
    { type: 'message_delta', delta: { stop_reason: finish }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ],
  nothing: [
    { type: 'message', content: null },
    { type: 'message', content: [] },
  ],
}

const item = ({ is, text }: OddPart) =>
  is === 'thought'
    ? { type: 'reasoning', summary: [{ type: 'summary_text', text }] }
    : {
        type: 'message',
        content: [
          is === 'empty'
            ? { type: PART_OF_LATER }
            : { type: is === 'unknown' ? PART_OF_LATER : 'output_text', text },
        ],
      }
const response = ({ parts, finish }: OddAnswer) => ({
  object: 'response',
  model: 'm',
  status: finish === undefined ? 'completed' : 'incomplete',
  incomplete_details: finish === undefined ? null : { reason: finish },
  output: parts.map(item),
  usage: { input_tokens: 5, output_tokens: 3 },
})
const NAMES = {
  text: 'response.output_text.delta',
  thought: 'response.reasoning_text.delta',
  unknown: 'response.rich_text.delta',
  empty: 'response.rich_text.begun',
}
const responses: OddWriter = {
  whole: response,
  events: (answer) => [
    { type: 'response.created', response: { status: 'in_progress', output: [] } },
    ...answer.parts.map(({ is, text }) => ({ type: NAMES[is], ...(is !== 'empty' && { delta: text }) })),
    {
      type: answer.finish === undefined ? 'response.completed' : 'response.incomplete',
      response: response(answer),
    },
  ],
  nothing: [
    { object: 'response', status: 'completed', output: null },
    { object: 'response', status: 'completed', output: [] },
  ],
}

const geminiPart = ({ is, text }: OddPart) =>
  is === 'unknown'
    ? { inlineData: { mimeType: 'text/plain', data: text } }
    : is === 'empty'
      ? { videoMetadata: {} }
      : { text, thought: is === 'thought' || undefined }
const geminiUsage = { promptTokenCount: 5, candidatesTokenCount: 3 }
const gemini: OddWriter = {
  whole: ({ parts, finish = 'STOP' }) => ({
    candidates: [{ content: { parts: parts.map(geminiPart) }, finishReason: finish }],
    usageMetadata: geminiUsage,
  }),
  events: ({ parts, finish = 'STOP' }) => [
    ...parts.map((part) => ({ candidates: [{ content: { parts: [geminiPart(part)] } }] })),
    { candidates: [{ finishReason: finish }], usageMetadata: geminiUsage },
  ],
  nothing: [
    { usageMetadata: geminiUsage },
    { candidates: [], usageMetadata: geminiUsage },
    { candidates: [{ finishReason: 'STOP' }], usageMetadata: geminiUsage },
  ],
}

/** How each wire writes them. */
export const ODD_WRITERS: Record<WireName, OddWriter> = {
  anthropic,
  'openai responses': responses,
  'openai chat': chat,
  gemini,
}

/** Events as a stream has them. */
export const toStream = (events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
