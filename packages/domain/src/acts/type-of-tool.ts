import { originOf, type ReferenceValue, type RenderedSegment } from '../template/render.ts'
import { type ReferenceToken, type TemplateSyntax, tokenizeTemplate } from '../template/tokenize.ts'

/** How calls of a type of tool are checked and made. As methods, which a table takes for a union of types. */
export interface TypeOfTool<Tool, Call> {
  /** What keeps it from being called, whatever its references stand for, by the first field at fault. */
  findFault(tool: Tool, syntax: TemplateSyntax): ToolFault | undefined
  /** Where a call goes, as its step writes it (D89). Any change is another destination. */
  destination(tool: Tool): string
  /** With the values of its sealed parts, by part; absent of a type that has none. */
  fill?(call: Call, tool: Tool, values: ReadonlyMap<string, string>): Call
  /** Whether a value would decide who gets it; absent: none can. */
  goesByValue?(tool: Tool, syntax: TemplateSyntax): boolean
  /** Throws `ToolValueError` for a value that has no place in the call, and `MissingFieldError`. */
  render(tool: Tool, values: ToolValues): RenderedCall<Call>
}

/** With a sentence for who writes the step, or runs it. */
export class ToolValueError extends Error {}

export interface ToolFault {
  path: string
  message: string
}

export interface ToolValues {
  syntax: TemplateSyntax
  read: (reference: ReferenceToken) => ReferenceValue | undefined
}

export interface RenderedCall<Call> {
  /** The call as a person reads it. */
  shown: RenderedSegment[]
  call: Call
}

export const literal = (text: string): RenderedSegment => ({ text, from: null })

export const textOf = (pieces: readonly RenderedSegment[]): string => pieces.map(({ text }) => text).join('')

/** A reference without a value stays as it is written. */
export function renderText(source: string, { syntax, read }: ToolValues): RenderedSegment[] {
  return tokenizeTemplate(source, syntax).map((token) => {
    const value = token.kind === 'text' ? undefined : read(token)
    return value === undefined || token.kind === 'text'
      ? literal(token.raw)
      : { text: value.text, from: originOf(token) }
  })
}
