import { type ForEach, type HttpTool, isSealed, type StepTool, type WrittenTool } from '@catenary/contracts'
import { type TemplateSyntax, tokenizeTemplate } from '../../template/tokenize.ts'
import { AddressTemplateError, readAddressTemplate, renderAddress } from './address-template.ts'

export interface SealedPlace {
  /** What it is kept by: `url`, `header:<name in lower case>` or `query:<name>`. */
  part: string
  kind: 'url' | 'header' | 'query'
  /** As the step writes it; empty of the address. */
  name: string
  /** Of its field in the step. */
  path: string
}

interface SealedParts {
  /** Scheme, host and port that the call goes to; empty where its address is none. */
  origin: string
  method: string
  parts: SealedPlace[]
}

interface WithParts {
  url: unknown
  query: readonly { name: string }[]
  headers: readonly { name: string }[]
}

const ANY: TemplateSyntax = { outputs: true, jsonOutputs: { has: () => true } }

function placesOf({ url, query, headers }: WithParts): SealedPlace[] {
  const address: SealedPlace[] = isSealed(url)
    ? [{ part: 'url', kind: 'url', name: '', path: 'tool.url' }]
    : []
  const inQuery = query.map((part, index) => {
    const { name } = part
    const place: SealedPlace = { part: `query:${name}`, kind: 'query', name, path: `tool.query.${index}` }
    return isSealed(part) ? place : undefined
  })
  const inHeaders = headers.map((part, index) => {
    const { name } = part
    const key = `header:${name.toLowerCase()}`
    const place: SealedPlace = { part: key, kind: 'header', name, path: `tool.headers.${index}` }
    return isSealed(part) ? place : undefined
  })
  return [...address, ...inQuery, ...inHeaders].filter((place) => place !== undefined)
}

/** What of a call nobody reads, and where alone it may go. */
export function sealedPartsOf(tool: StepTool): SealedParts {
  if (tool.type !== 'http') return { origin: '', method: '', parts: [] }
  return { origin: originOfCall(tool), method: tool.method, parts: placesOf(tool) }
}

function originOfCall({ url }: Pick<HttpTool, 'url'>): string {
  if (isSealed(url)) return url.origin
  try {
    return readAddressTemplate(url, ANY).origin
  } catch (error) {
    if (error instanceof AddressTemplateError) return ''
    throw error
  }
}

export interface SentSecret {
  path: string
  value: string
}

interface SplitTool {
  tool: StepTool
  /** By part. */
  values: Map<string, SentSecret>
}

/** A tool as it is kept, and apart from it what was sent for its sealed parts. */
export function splitSealed(tool: WrittenTool): SplitTool {
  if (!('headers' in tool)) return { tool, values: new Map() }
  const { url, query, headers } = tool
  const values = new Map<string, SentSecret>()
  for (const { part, path } of placesOf(tool)) {
    const at = path.split('.').at(-1) ?? ''
    const sent =
      part === 'url' ? url : path.startsWith('tool.query') ? query[Number(at)] : headers[Number(at)]
    if (typeof sent === 'object' && 'value' in sent && sent.value !== undefined)
      values.set(part, { path: `${path}.value`, value: sent.value })
  }
  return {
    tool: {
      ...tool,
      url: keptAddress(url),
      query: query.map(withoutSecret),
      headers: headers.map(withoutSecret),
    },
    values,
  }
}

function keptAddress(url: Extract<WrittenTool, { type: 'http' }>['url']): HttpTool['url'] {
  if (typeof url === 'string' || !('value' in url)) return url
  return { sealed: true, origin: URL.parse(url.value)?.origin ?? '' }
}

type Written = { name: string; value: string } | { name: string; sealed: true; value?: string | undefined }

const withoutSecret = (part: Written) => (isSealed(part) ? { name: part.name, sealed: true as const } : part)

/** As HTTP sends it. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** What keeps a value from being sealed for its part. */
export function findSealedFault(part: string, value: string): string | undefined {
  if (tokenizeTemplate(value, ANY).some(({ kind }) => kind !== 'text'))
    return 'A sealed value holds no reference'
  if (part.startsWith('header:') && !HEADER_VALUE.test(value))
    return 'This has a character that a header can’t hold'
  if (part !== 'url') return undefined
  try {
    renderAddress(value, { syntax: ANY, read: () => undefined })
    return undefined
  } catch (error) {
    if (error instanceof AddressTemplateError) return error.message
    throw error
  }
}

export interface CallingStep {
  tool?: StepTool | null | undefined
  forEach?: ForEach | null | undefined
}

/** What of a step decides what goes out, and how often: all but what it makes of the answer. */
function callOfStep({ tool, forEach }: CallingStep) {
  return { tool: tool ? withoutAnswer(tool) : null, forEach: forEach ?? null }
}

function withoutAnswer(tool: StepTool): object {
  if (!('answer' in tool)) return tool
  const { answer: _, ...call } = tool
  return call
}

/** Whether two steps call the same, as often. */
export const isSameCall = (one: CallingStep, other: CallingStep): boolean =>
  inOrder(callOfStep(one)) === inOrder(callOfStep(other))

/** JSON in which fields have one order. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : each,
  )
}

/** Stands where a sealed value goes out. */
export const SEALED_MARK = '••••'

const SHORTEST_STRUCK = 4

/** A text of somebody else’s without the sealed values, as they are or as an address, JSON or HTML writes them. */
export function strikeSealed(text: string, values: Iterable<string>): string {
  const written = new Set([...values].flatMap(formsOf).filter((form) => form.length >= SHORTEST_STRUCK))
  return [...written]
    .toSorted((a, b) => b.length - a.length)
    .reduce((struck, form) => struck.replaceAll(form, SEALED_MARK), text)
}

/** Of ‘Bearer abc’ the key alone too, and of an address its path and what that is made of. */
function formsOf(value: string): string[] {
  const { pathname = '', search = '' } = URL.parse(value) ?? {}
  const pieces = [
    value,
    ...value.split(/\s+/).filter((piece) => piece.length >= LONG_PIECE),
    ...[`${pathname}${search}`, pathname].filter((piece) => piece.length >= LONG_PIECE),
    ...`${pathname}${search}`.split(/[/?&=]/).filter((piece) => piece.length >= LONG_PIECE),
  ]
  return pieces.flatMap((piece) => [
    piece,
    encodeURIComponent(piece.toWellFormed()),
    encodeURIComponent(piece.toWellFormed()).replaceAll('%20', '+'),
    JSON.stringify(piece).slice(1, -1),
    JSON.stringify(piece).slice(1, -1).replaceAll('/', '\\/'),
    piece.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  ])
}

const LONG_PIECE = 8
