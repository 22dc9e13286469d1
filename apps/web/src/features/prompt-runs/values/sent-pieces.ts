import { tokenizeTemplate } from '@catenary/domain'
import { hasValue, sentText, type VariableField } from '../run-form.ts'

/** A stretch of the text that will be sent. */
export interface SentPiece {
  /** Where its template's part begins. */
  start: number
  text: string
  /** later: the run itself fetches it; missing: the reference stays as it is written. */
  kind: 'text' | 'value' | 'later' | 'missing'
  /** The reference's name; of text none. */
  name: string | null
}

/** The text with its values, up to so many characters, and how many were left out. */
export function sentPieces({
  template,
  fields,
  max,
}: {
  template: string
  fields: readonly VariableField[]
  max: number
}): { pieces: SentPiece[]; left: number } {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const pieces: SentPiece[] = []
  let room = max
  let left = 0
  for (const token of tokenizeTemplate(template)) {
    const piece = token.kind === 'text' ? null : pieceOf(byName.get(token.name))
    const text = piece?.text ?? token.raw
    const shown = text.slice(0, room)
    room -= shown.length
    left += text.length - shown.length
    if (shown === '' && text !== '') continue
    const name = token.kind === 'text' ? null : token.name
    pieces.push({
      start: token.start,
      text: shown,
      kind: name === null ? 'text' : (piece?.kind ?? 'missing'),
      name,
    })
  }
  return { pieces, left }
}

function pieceOf(field: VariableField | undefined): { kind: 'value' | 'later'; text?: string } | null {
  if (!field || !hasValue(field)) return null
  return field.value === '' ? { kind: 'later' } : { kind: 'value', text: sentText(field) }
}
