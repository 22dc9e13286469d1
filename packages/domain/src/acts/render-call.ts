import type { HttpTool } from '@catenary/contracts'
import { originOf, type ReferenceValue, type RenderedSegment } from '../template/render.ts'
import { type ReferenceToken, type TemplateSyntax, tokenizeTemplate } from '../template/tokenize.ts'
import { renderAddress } from './address-template.ts'
import { fieldsOfForm } from './form-template.ts'
import { renderJsonTemplate } from './json-template.ts'

export interface HttpCall {
  method: HttpTool['method']
  url: string
  headers: Record<string, string>
  body: string | null
}

export interface RenderedCall {
  /** The call as a person reads it. */
  shown: RenderedSegment[]
  call: HttpCall
}

interface Values {
  syntax: TemplateSyntax
  read: (reference: ReferenceToken) => ReferenceValue | undefined
}

const CONTENT_TYPES = {
  none: undefined,
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  form: 'application/x-www-form-urlencoded',
} as const

/**
 * The call of an HTTP tool, with values for its references. Throws `AddressTemplateError` for a value that has no place in
 * the address, and `MissingFieldError`.
 */
export function renderCall(tool: HttpTool, values: Values): RenderedCall {
  const { method, headers, body } = tool
  const url = withQuery(renderAddress(tool.url, values), queryOf(tool, values))
  const given = headers.map(({ name, value }): NamedPieces => [name, renderText(value, values)])
  const type = CONTENT_TYPES[body.type]
  const hasType = headers.some(({ name }) => name.toLowerCase() === 'content-type')
  const all = type === undefined || hasType ? given : [contentType(type), ...given]
  const content = bodyOf(tool, values)
  const shown = [
    literal(`${method} `),
    ...url,
    ...all.flatMap(([name, pieces]) => [literal(`\n${name}: `), ...pieces]),
    ...(content && content.length > 0 ? [literal('\n\n'), ...content] : []),
  ]
  const call = {
    method,
    url: textOf(url),
    headers: Object.fromEntries(all.map(([name, pieces]) => [name, textOf(pieces)])),
    body: content && textOf(content),
  }
  return { shown, call }
}

type NamedPieces = [name: string, pieces: RenderedSegment[]]

const literal = (text: string): RenderedSegment => ({ text, from: null })
const contentType = (type: string): NamedPieces => ['Content-Type', [literal(type)]]
const textOf = (pieces: readonly RenderedSegment[]): string => pieces.map(({ text }) => text).join('')

function queryOf({ query }: HttpTool, values: Values): RenderedSegment[][] {
  return query.map(({ name, value }) => [
    literal(`${encoded(name)}=`),
    ...renderText(value, values).map((segment) => ({ ...segment, text: encoded(segment.text) })),
  ])
}

function withQuery(
  address: readonly RenderedSegment[],
  query: readonly RenderedSegment[][],
): RenderedSegment[] {
  const hasQuery = address.some(({ text }) => text.includes('?'))
  const joined = query.flatMap((pieces, index) => [literal(index === 0 && !hasQuery ? '?' : '&'), ...pieces])
  return [...address, ...joined]
}

function bodyOf({ body: { type, content } }: HttpTool, values: Values): RenderedSegment[] | null {
  if (type === 'none') return null
  if (type === 'json') return renderJsonTemplate(content, values)
  if (type === 'text') return renderText(content, values)
  return fieldsOfForm(content).flatMap(({ name, value }, index) => [
    literal(`${index === 0 ? '' : '&'}${formEncoded(name)}=`),
    ...renderText(value, values).map((segment) => ({ ...segment, text: formEncoded(segment.text) })),
  ])
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
const formEncoded = (text: string): string => encoded(text).replaceAll('%20', '+')

/** A reference without a value stays as it is written. */
function renderText(source: string, { syntax, read }: Values): RenderedSegment[] {
  return tokenizeTemplate(source, syntax).map((token) => {
    const value = token.kind === 'text' ? undefined : read(token)
    return value === undefined || token.kind === 'text'
      ? literal(token.raw)
      : { text: value.text, from: originOf(token) }
  })
}
