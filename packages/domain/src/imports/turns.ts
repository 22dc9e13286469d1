import type { Turn } from '@catenary/contracts'
import { type Fields, isFields } from '../promptfoo/draft.ts'
import { isEmpty, listOf, type Report, textOf, within } from './draft.ts'
import { convertReferences } from './references.ts'
import { reportOthers } from './settings.ts'
import type { Names } from './texts/names.ts'
import type { Syntax } from './texts/syntaxes.ts'

export interface Conversation {
  systemPrompt: string | undefined
  messages: Turn[]
  content: string
}

interface Reading {
  report: Report
  names: Names
  syntax: Syntax
}

interface Said {
  role: 'system' | 'user' | 'assistant'
  text: string
  at: string
}

const ROLES: Record<string, Said['role']> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
}

/**
 * The conversation as a prompt has it: what system and developer say is the system prompt, the last message of the
 * user the content, and what comes before it the turns. Undefined where nobody says anything.
 */
export function toConversation(
  list: unknown,
  { at, instructions, ...reading }: Reading & { at: string; instructions?: string | undefined },
): Conversation | undefined {
  const { report } = reading
  const said = listOf(list).flatMap((message, index) => read(message, within(at, `[${index}]`), reading))
  const system = said.filter(({ role }) => role === 'system')
  const turns = said.filter(({ role }) => role !== 'system')
  const firstTurn = said.findIndex(({ role }) => role !== 'system')
  for (const late of said.filter(
    (each, index) => each.role === 'system' && firstTurn !== -1 && index > firstTurn,
  )) {
    report.lose(late.at, 'It was between other messages; here it is at the end of the system prompt')
  }
  const texts = [...(instructions === undefined ? [] : [instructions]), ...system.map(({ text }) => text)]
  const systemPrompt = texts.length === 0 ? undefined : texts.join('\n\n')
  const last = turns.findLastIndex(({ role }) => role === 'user')
  for (const { text, at } of turns.slice(last + 1)) {
    if (last === -1) report.lose(at, 'An answer without a question is kept as a note', text)
    else
      report.lose(
        at,
        'The beginning of the answer is kept as a note, because here the model begins the answer',
        text,
      )
  }
  const content = turns[last]
  if (content !== undefined) {
    const messages = turns.slice(0, last).map(({ role, text }) => ({ role, content: text }) as Turn)
    return { systemPrompt, messages, content: content.text }
  }
  if (systemPrompt === undefined) return undefined
  report.lose(
    at,
    'It has no user message: its instructions become the prompt’s text, followed by what a call sends',
  )
  return { systemPrompt: undefined, messages: [], content: systemPrompt }
}

function read(message: unknown, at: string, reading: Reading): Said[] {
  const { report } = reading
  if (!isFields(message)) {
    const text = textOf(message)
    if (text !== undefined) return [{ role: 'user', text: convertReferences(text, { at, ...reading }), at }]
    if (!isEmpty(message)) report.lose(at, 'It is not a message, so it is kept as a note', message)
    return []
  }
  const role = ROLES[String(message.role ?? '').toLowerCase()]
  if (role === undefined) {
    const isTyped = typeof message.type === 'string' && message.type !== 'message'
    const what = isTyped ? message.type : `A message of ${String(message.role ?? 'nobody').slice(0, 40)}`
    report.lose(at, `${what} has no place in a prompt here, so it is kept as a note`, message)
    return []
  }
  const text = textOfMessage(message, at, report)
  reportOthers(message, { at, report, known: ['role', 'content'], usual: USUAL })
  if (text === '') return []
  return [{ role, text: convertReferences(text, { at: within(at, 'content'), ...reading }), at }]
}

const USUAL = { type: 'message', status: 'completed' }
const TEXT_TYPES = ['text', 'input_text', 'output_text']

function textOfMessage({ content }: Fields, at: string, report: Report): string {
  if (typeof content === 'string') return content.trim() === '' ? '' : content
  if (isFields(content) || typeof content === 'number' || typeof content === 'boolean') {
    report.lose(within(at, 'content'), 'It is not text, so it is kept as a note', content)
    return ''
  }
  const texts = listOf(content).flatMap((part, index) => {
    if (typeof part === 'string') return [part]
    const place = within(within(at, 'content'), `[${index}]`)
    if (isFields(part) && typeof part.text === 'string') {
      const known = TEXT_TYPES.includes(String(part.type ?? 'text')) ? ['type', 'text'] : ['text']
      reportOthers(part, { at: place, report, known })
      return [part.text]
    }
    report.lose(place, reasonFor(part), part)
    return []
  })
  return texts.join('\n').trim() === '' ? '' : texts.join('\n')
}

function reasonFor(part: unknown): string {
  const type = isFields(part) ? String(part.type ?? '') : ''
  if (type.includes('image')) return 'An image is kept as a note by its address: it is not fetched'
  if (type.includes('file')) return 'A file is kept as a note by its name: it is not fetched'
  if (type.includes('audio')) return 'Audio is kept as a note'
  return 'A part that is not text is kept as a note'
}
