import { originOf, type ReferenceValue, type RenderedSegment } from '../../template/render.ts'
import { type ReferenceToken, type TemplateSyntax, tokenizeTemplate } from '../../template/tokenize.ts'
import { ToolValueError } from '../type-of-tool.ts'

/** An address in which references stand for whole segments of the path, and for whole values of the query. */
export interface AddressTemplate {
  /** Scheme, host and port, in lower case: no reference moves a call to another host. */
  origin: string
  /** As it is written, but for the origin: `/v2/{{mail.parcel}}?lang=de`. */
  rest: string
}

export class AddressTemplateError extends ToolValueError {}

type Part = { literal: string } | { reference: ReferenceToken }

const SHAPE = /^(https?:\/\/)([^/?#\\]*)(\/[^?#]*)?(\?[^#]*)?$/i
/** Of what a URL holds as it is; a `%` begins an escape. */
const LITERAL = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*$/
/** Browsers and servers read it as `.` or `..`, and go up. */
const DOTS = /^(?:\.|%2e){1,2}$/i

const REFERENCE_PLACE =
  'A reference stands for a whole part of the path between slashes, or for a whole value of the query.'

interface Parsed extends AddressTemplate {
  path: Part[]
  query: { name: string; value: Part }[] | undefined
}

/** Throws `AddressTemplateError` with a sentence for who writes it. */
export function readAddressTemplate(source: string, syntax: TemplateSyntax): AddressTemplate {
  const { origin, rest } = parse(source, syntax)
  return { origin, rest }
}

/**
 * The address to call, in pieces. Each value is percent-encoded, and so stays in its place. Throws `AddressTemplateError`
 * for a reference without a value, and for a part of the path that would be empty, `.` or `..`: it would make another
 * address.
 */
export function renderAddress(
  source: string,
  {
    syntax,
    read,
  }: { syntax: TemplateSyntax; read: (reference: ReferenceToken) => ReferenceValue | undefined },
): RenderedSegment[] {
  const { origin, path, query = [] } = parse(source, syntax)
  const say = (part: Part, isInPath: boolean): RenderedSegment => {
    if ('literal' in part) return { text: part.literal, from: null }
    const { reference } = part
    const text = read(reference)?.text
    if (text === undefined) throw new AddressTemplateError(`${reference.raw} in the address has no value.`)
    if (isInPath && (text === '' || DOTS.test(text))) {
      const what = text === '' ? 'is empty' : `is ${text}`
      throw new AddressTemplateError(`${reference.raw} ${what}, which can’t stand in the path of an address.`)
    }
    return { text: encode(text), from: originOf(reference) }
  }
  const literal = (text: string): RenderedSegment => ({ text, from: null })
  const segments = [
    literal(origin),
    ...path.flatMap((part) => [literal('/'), say(part, true)]),
    ...query.flatMap(({ name, value }, index) => [
      literal(`${index === 0 ? '?' : '&'}${name}`),
      say(value, false),
    ]),
  ]
  // What goes out is what was written: a parser that reads it otherwise would find another place.
  const address = segments.map(({ text }) => text).join('')
  if (URL.parse(address)?.href !== address) throw new AddressTemplateError('This is not a valid address.')
  return segments
}

function parse(source: string, syntax: TemplateSyntax): Parsed {
  const match = SHAPE.exec(source)
  if (match === null) {
    throw new AddressTemplateError(
      source.includes('#')
        ? 'An address of a call has no part behind #.'
        : 'Write an address that begins with https:// or http://.',
    )
  }
  const [, scheme = '', host = '', wholePath = '', wholeQuery] = match
  if (tokenizeTemplate(host, syntax).some(({ kind }) => kind !== 'text'))
    throw new AddressTemplateError(
      'The host of an address can’t be a reference: whoever fills it in would choose where it goes.',
    )
  if (host.includes('@')) throw new AddressTemplateError('An address must not carry a user name or password.')
  const origin = URL.parse(scheme + host)?.origin
  if (host === '' || origin === undefined) throw new AddressTemplateError('This is not a valid address.')
  const path = (wholePath === '' ? '/' : wholePath)
    .slice(1)
    .split('/')
    .map((segment) => partOf(segment, syntax))
  const dots = path.find((part) => 'literal' in part && DOTS.test(part.literal))
  if (dots) throw new AddressTemplateError('The path of an address has no part that is . or ..')
  const query = wholeQuery
    ?.slice(1)
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=')
      const [name, value] = at === -1 ? [pair, ''] : [pair.slice(0, at + 1), pair.slice(at + 1)]
      requireLiteral(name, syntax)
      return { name, value: partOf(value, syntax) }
    })
  return { origin, rest: (wholePath === '' ? '/' : wholePath) + (wholeQuery ?? ''), path, query }
}

function partOf(text: string, syntax: TemplateSyntax): Part {
  const tokens = tokenizeTemplate(text, syntax)
  const [first] = tokens
  if (tokens.length === 1 && first !== undefined && first.kind !== 'text') return { reference: first }
  requireLiteral(text, syntax)
  return { literal: text }
}

function requireLiteral(text: string, syntax: TemplateSyntax): void {
  if (tokenizeTemplate(text, syntax).some(({ kind }) => kind !== 'text'))
    throw new AddressTemplateError(REFERENCE_PLACE)
  if (!LITERAL.test(text))
    throw new AddressTemplateError(`“${text}” has a character that an address can’t hold. Percent-encode it.`)
}

/** All that could be read as anything but text in a segment or value. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
