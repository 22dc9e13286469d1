import { cutText, tokenizeTemplate } from '@catenary/domain'
import { hasValue, sentText, type VariableField } from '../run-form.ts'

export interface SentPiece {
  start: number
  text: string
  /** later: the run itself fetches it; missing: the reference stays as it is written. */
  kind: 'text' | 'value' | 'later' | 'missing'
  name: string | null
}

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
    const shown = cutText(text, room)
    room = shown === text ? room - shown.length : 0
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
