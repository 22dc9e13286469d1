import type { HttpTool } from '@catenary/contracts'
import type { RenderedSegment } from '../../template/render.ts'
import { literal, type RenderedCall, renderText, type ToolValues, textOf } from '../type-of-tool.ts'
import { renderAddress } from './address-template.ts'
import { fieldsOfForm } from './form-template.ts'
import { renderJsonTemplate } from './json-template.ts'

export interface HttpCall {
  type: 'http'
  method: HttpTool['method']
  url: string
  headers: Record<string, string>
  body: string | null
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
export function renderHttp(tool: HttpTool, values: ToolValues): RenderedCall<HttpCall> {
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
  const call: HttpCall = {
    type: 'http',
    method,
    url: textOf(url),
    headers: Object.fromEntries(all.map(([name, pieces]) => [name, textOf(pieces)])),
    body: content && textOf(content),
  }
  return { shown, call }
}

type NamedPieces = [name: string, pieces: RenderedSegment[]]

const contentType = (type: string): NamedPieces => ['Content-Type', [literal(type)]]

function queryOf({ query }: HttpTool, values: ToolValues): RenderedSegment[][] {
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

function bodyOf({ body: { type, content } }: HttpTool, values: ToolValues): RenderedSegment[] | null {
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
