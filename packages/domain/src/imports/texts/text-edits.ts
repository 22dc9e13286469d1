import type { Report } from '../draft.ts'

/** A piece of a text that stands otherwise here, or is only named: `is` is then the piece itself. */
export interface Edit {
  start: number
  end: number
  is: string
  reason: string
}

/** `{{name}}` as `$<name>`: the one change that is not reported, as it is the same variable by the same name. */
export interface SameName {
  start: number
  end: number
  sameName: string
}

const LINES_MAX = 20

/** In order and without overlaps: the only way in which a file's text is changed, so that no change goes unreported. */
export function applyEdits(
  source: string,
  edits: readonly (Edit | SameName)[],
  { at, report }: { at: string; report: Report },
): string {
  const lines = new Map<string, { reason: string; was: string; is: string }>()
  const pieces: string[] = []
  let position = 0
  for (const edit of edits) {
    const was = source.slice(edit.start, edit.end)
    const is = 'sameName' in edit ? `$<${edit.sameName}>` : edit.is
    pieces.push(source.slice(position, edit.start), is)
    position = edit.end
    if ('reason' in edit) lines.set(`${edit.reason}\n${was}`, { reason: edit.reason, was, is })
  }
  pieces.push(source.slice(position))
  const all = [...lines.values()]
  const shown = all.length > LINES_MAX ? all.slice(0, LINES_MAX - 1) : all
  for (const { reason, was, is } of shown) report.lose(at, reason, was, is === was ? undefined : is)
  const others = all.slice(shown.length)
  if (others.length > 0) {
    const reason = `${others.length.toLocaleString('en')} more of these kinds: all are in the report`
    report.lose(
      at,
      reason,
      others.map(({ was, is }) => (is === was ? { was } : { was, is })),
    )
  }
  return pieces.join('')
}

/** Of several lists the edits in one order; where two overlap, the one that begins first stays. */
export function mergeEdits(...lists: readonly (readonly (Edit | SameName)[])[]): (Edit | SameName)[] {
  let end = 0
  return lists
    .flat()
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter((edit) => {
      if (edit.start < end) return false
      end = edit.end
      return true
    })
}

const SHOWN_MAX = 60

export function clipPiece(text: string): string {
  const line = text.slice(0, 4 * SHOWN_MAX).replace(/\s+/g, ' ')
  return line.length > SHOWN_MAX || text.length > 4 * SHOWN_MAX
    ? `${line.slice(0, SHOWN_MAX - 1).toWellFormed()}…`
    : line
}
