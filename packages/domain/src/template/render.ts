import { type ReferenceKind, tokenizeTemplate } from './tokenize.ts'

/** Values by exact name; a record is read by its own properties only. */
export type TemplateValues = ReadonlyMap<string, string> | Readonly<Record<string, string>>

/** A piece of the rendered text and the reference whose value it is; null for what stood in the template. */
interface RenderedSegment {
  text: string
  from: { kind: ReferenceKind; name: string } | null
}

export interface RenderedTemplate {
  text: string
  segments: RenderedSegment[]
  /** Length of what stands before the first reference: the same in each rendering of the source. */
  fixedLength: number
}

/** References would make the text longer than allowed. */
export class TemplateTooLongError extends RangeError {}

/**
 * Replaces references by their values in one pass; a reference without a value stays as written.
 * Throws `TemplateTooLongError` before it holds more than `maxLength` characters.
 */
export function renderTemplate({
  source,
  variables,
  outputs,
  maxLength = Number.POSITIVE_INFINITY,
}: {
  source: string
  variables: TemplateValues
  /** Given only in chains; without it double braces are plain text. */
  outputs?: TemplateValues
  maxLength?: number
}): RenderedTemplate {
  const tokens = tokenizeTemplate(source, { outputs: outputs !== undefined })
  const segments = tokens.map((token): RenderedSegment => {
    if (token.kind === 'text') return { text: token.raw, from: null }
    const { kind, name } = token
    const value = findValue(kind === 'variable' ? variables : outputs, name)
    return value === undefined ? { text: token.raw, from: null } : { text: value, from: { kind, name } }
  })
  const length = segments.reduce((sum, { text }) => sum + text.length, 0)
  if (length > maxLength) {
    const most = maxLength.toLocaleString('en')
    throw new TemplateTooLongError(
      `With its references filled in, the text is longer than ${most} characters`,
    )
  }
  const [first] = tokens
  const fixedLength = first?.kind === 'text' ? first.raw.length : 0
  return { text: segments.map((segment) => segment.text).join(''), segments, fixedLength }
}

function findValue(values: TemplateValues | undefined, name: string): string | undefined {
  if (values === undefined) return undefined
  if (isMap(values)) return values.get(name)
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function isMap(values: TemplateValues): values is ReadonlyMap<string, string> {
  return values instanceof Map
}
