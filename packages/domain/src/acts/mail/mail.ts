import { emailAddress, type MailTool } from '@catenary/contracts'
import type { RenderedSegment } from '../../template/render.ts'
import { type TemplateSyntax, tokenizeTemplate } from '../../template/tokenize.ts'
import {
  literal,
  type RenderedCall,
  renderText,
  type ToolFault,
  ToolValueError,
  type ToolValues,
  textOf,
} from '../type-of-tool.ts'

export interface MailCall {
  type: 'mail'
  to: string[]
  subject: string
  text: string
}

/** With values for its references. */
const SUBJECT_MAX = 1_000
/** A subject is one line. */
const LINE_BREAKS = /[\r\n\v\f\u0085\u2028\u2029]+/g

const isAddress = (text: string): boolean => emailAddress('').safeParse(text).success

/** Whether an address is a reference, so that a value would decide who gets the email. */
const isReference = (address: string, syntax: TemplateSyntax): boolean =>
  tokenizeTemplate(address, syntax).some(({ kind }) => kind !== 'text')

const isReferenceAlone = (address: string, syntax: TemplateSyntax): boolean => {
  const tokens = tokenizeTemplate(address, syntax)
  return tokens.length === 1 && tokens[0]?.kind !== 'text'
}

export function findMailFault(
  { to, subject, text }: MailTool,
  syntax: TemplateSyntax,
): ToolFault | undefined {
  for (const [index, address] of to.entries()) {
    const path = `tool.to.${index}`
    if (!isAddress(address) && !isReferenceAlone(address, syntax))
      return { path, message: 'Write an email address, or a reference alone' }
    const known = to.slice(0, index).map((other) => other.toLowerCase())
    if (known.includes(address.toLowerCase())) return { path, message: 'This address is there already' }
  }
  if (subject.trim() === '') return { path: 'tool.subject', message: 'Write the subject' }
  return text.trim() === '' ? { path: 'tool.text', message: 'Write the text' } : undefined
}

/** Subject and text are no part of it. */
export const destinationOfMail = ({ to }: MailTool): string => `mail to ${to.join(', ')}`

export const isMailedByValue = ({ to }: MailTool, syntax: TemplateSyntax): boolean =>
  to.some((address) => isReference(address, syntax))

/** Each address once. */
export function renderMail(tool: MailTool, values: ToolValues): RenderedCall<MailCall> {
  const to = new Map<string, { address: string; pieces: RenderedSegment[] }>()
  for (const written of tool.to) {
    const pieces = renderText(written, values).map((piece) => ({ ...piece, text: piece.text.trim() }))
    const address = textOf(pieces)
    if (!isAddress(address)) throw new ToolValueError(`${written} stands for no email address`)
    if (!to.has(address.toLowerCase())) to.set(address.toLowerCase(), { address, pieces })
  }
  const subject = renderText(tool.subject, values).map((piece) => ({
    ...piece,
    text: piece.text.replaceAll(LINE_BREAKS, ' '),
  }))
  if (textOf(subject).length > SUBJECT_MAX)
    throw new ToolValueError('With its values the subject is too long to send')
  const text = renderText(tool.text, values)
  const people = [...to.values()]
  return {
    shown: [
      literal('To: '),
      ...people.flatMap(({ pieces }, index) => (index === 0 ? pieces : [literal(', '), ...pieces])),
      literal('\nSubject: '),
      ...subject,
      literal('\n\n'),
      ...text,
    ],
    call: {
      type: 'mail',
      to: people.map(({ address }) => address),
      subject: textOf(subject).trim(),
      text: textOf(text),
    },
  }
}
