import { isJson } from '../../json/json-tokens.ts'
import { originOf, type ReferenceValue, type RenderedSegment } from '../../template/render.ts'
import { type ReferenceToken, type TemplateSyntax, tokenizeTemplate } from '../../template/tokenize.ts'

interface Placed {
  reference: ReferenceToken
  isInString: boolean
}

const HEX = /^[0-9a-fA-F]$/
const SPACE = /[ \t\n\r]*/y

/**
 * Where in a JSON text its references stand: each is a value of its own, or inside a string. Nothing that a value holds can
 * then end the string, or change an escape that stands before it.
 */
function placeReferences(source: string, syntax: TemplateSyntax): { placed: Placed[] } | { fault: string } {
  const placed: Placed[] = []
  let isInString = false
  /** Characters of an escape that are still to come. */
  let pending = 0
  let lastInString: ReferenceToken | undefined
  for (const token of tokenizeTemplate(source, syntax)) {
    if (token.kind !== 'text') {
      if (pending > 0)
        return { fault: `${token.raw} stands right behind a backslash, which would change what it says.` }
      placed.push({ reference: token, isInString })
      if (isInString) lastInString = token
      continue
    }
    for (let at = token.start; at < token.end; at += 1) {
      const character = source.charAt(at)
      if (pending > 0) {
        if (pending === 5 && character === 'u') pending = 4
        else if (pending === 5) pending = 0
        else pending = HEX.test(character) ? pending - 1 : 0
      } else if (character === '"') {
        isInString = !isInString
        if (!isInString && lastInString !== undefined && isKey(source, at + 1))
          return { fault: `${lastInString.raw} can’t stand in the name of a field.` }
        lastInString = undefined
      } else if (isInString && character === '\\') pending = 5
    }
  }
  return { placed }
}

function isKey(source: string, from: number): boolean {
  SPACE.lastIndex = from
  SPACE.test(source)
  return source.charAt(SPACE.lastIndex) === ':'
}

/** What keeps a text from being sent as JSON, whatever its references stand for; undefined: nothing. */
export function findJsonTemplateFault(source: string, syntax: TemplateSyntax): string | undefined {
  const read = placeReferences(source, syntax)
  if ('fault' in read) return read.fault
  const sample = fill({
    source,
    placed: read.placed,
    say: ({ isInString }) => ({ text: isInString ? '' : 'null', from: null }),
  })
  if (isJson(sample.map(({ text }) => text).join(''))) return undefined
  return 'This is not JSON. A reference can be a value of its own, as in "a": {{name}}, or stand in a text between quotes.'
}

/**
 * The JSON text with its references filled in: alone they are a value, which is JSON where they are, and inside a string
 * their text. One without a value stays as it is written, as a text. Throws where the template has a fault.
 */
export function renderJsonTemplate(
  source: string,
  {
    syntax,
    read,
  }: { syntax: TemplateSyntax; read: (reference: ReferenceToken) => ReferenceValue | undefined },
): RenderedSegment[] {
  const found = placeReferences(source, syntax)
  if ('fault' in found) throw new Error(found.fault)
  return fill({
    source,
    placed: found.placed,
    say({ reference, isInString }) {
      const value = read(reference)
      const { text, json } = value ?? { text: reference.raw }
      const said = isInString ? JSON.stringify(text).slice(1, -1) : (json ?? JSON.stringify(text))
      return { text: said, from: value ? originOf(reference) : null }
    },
  })
}

interface Filled {
  source: string
  placed: readonly Placed[]
  say: (placed: Placed) => RenderedSegment
}

function fill({ source, placed, say }: Filled): RenderedSegment[] {
  const segments: RenderedSegment[] = []
  let position = 0
  for (const one of placed) {
    const { start, end } = one.reference
    if (start > position) segments.push({ text: source.slice(position, start), from: null })
    segments.push(say(one))
    position = end
  }
  if (position < source.length) segments.push({ text: source.slice(position), from: null })
  return segments
}
