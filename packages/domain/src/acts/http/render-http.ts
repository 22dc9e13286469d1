import { type HttpTool, isSealed } from '@catenary/contracts'
import type { RenderedSegment } from '../../template/render.ts'
import { literal, type RenderedCall, renderText, type ToolValues, textOf } from '../type-of-tool.ts'
import { renderAddress } from './address-template.ts'
import { fieldsOfForm } from './form-template.ts'
import { renderJsonTemplate } from './json-template.ts'
import { SEALED_MARK } from './sealed-parts.ts'

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
  const plain = headers.flatMap((header): NamedPieces[] =>
    isSealed(header) ? [] : [[header.name, renderText(header.value, values)]],
  )
  const masked = headers.flatMap(({ name, ...header }): NamedPieces[] =>
    isSealed(header) ? [[name, [literal(SEALED_MARK)]]] : [],
  )
  const type = CONTENT_TYPES[body.type]
  const hasType = headers.some(({ name }) => name.toLowerCase() === 'content-type')
  const given = type === undefined || hasType ? plain : [contentType(type), ...plain]
  const content = bodyOf(tool, values)
  const shown = [
    literal(`${method} `),
    ...addressOf(tool, { ...values, places: SHOWN }),
    ...[...given, ...masked].flatMap(([name, pieces]) => [literal(`\n${name}: `), ...pieces]),
    ...(content && content.length > 0 ? [literal('\n\n'), ...content] : []),
  ]
  const call: HttpCall = {
    type: 'http',
    method,
    url: textOf(addressOf(tool, { ...values, places: OPEN })),
    headers: Object.fromEntries(given.map(([name, pieces]) => [name, textOf(pieces)])),
    body: content && textOf(content),
  }
  return { shown, call }
}

/** What stands where a sealed value does. */
interface Places {
  address: (origin: string) => string
  query: (name: string) => string
}

const SHOWN: Places = { address: (origin) => `${origin}/${SEALED_MARK}`, query: () => SEALED_MARK }
/** No address has braces that are not encoded. */
const OPEN: Places = { address: () => '{url}', query: (name) => `{query:${encoded(name)}}` }

type PlacedValues = ToolValues & { places: Places }

function addressOf(tool: HttpTool, values: PlacedValues): RenderedSegment[] {
  const { url } = tool
  const address = isSealed(url) ? [literal(values.places.address(url.origin))] : renderAddress(url, values)
  return withQuery(address, queryOf(tool, values))
}

/** The call with its sealed values, by part. */
export function fillHttp(call: HttpCall, tool: HttpTool, values: ReadonlyMap<string, string>): HttpCall {
  const url = call.url
    .replace(/^\{url\}(\?)?/, (_, more?: string) => {
      const address = values.get('url') ?? ''
      return `${address}${more === undefined ? '' : address.includes('?') ? '&' : '?'}`
    })
    .replace(/\{query:([^}]*)\}/g, (_, name: string) =>
      encoded(values.get(`query:${decodeURIComponent(name)}`) ?? ''),
    )
  const sealed = tool.headers
    .filter(isSealed)
    .map(({ name }) => [name, values.get(`header:${name.toLowerCase()}`) ?? ''])
  return { ...call, url, headers: { ...call.headers, ...Object.fromEntries(sealed) } }
}

type NamedPieces = [name: string, pieces: RenderedSegment[]]

const contentType = (type: string): NamedPieces => ['Content-Type', [literal(type)]]

function queryOf({ query }: HttpTool, values: PlacedValues): RenderedSegment[][] {
  return query.map((part) => [
    literal(`${encoded(part.name)}=`),
    ...(isSealed(part)
      ? [literal(values.places.query(part.name))]
      : renderText(part.value, values).map((segment) => ({ ...segment, text: encoded(segment.text) }))),
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
