import type { LossDraft } from '../draft.ts'

/** A piece that a line of the report names: what stood there, and what stands there here; undefined: nothing. */
interface Piece {
  was: string
  is: string | undefined
}

const SAME_NAME = /\{\{\{?\s*([A-Za-z0-9_]{1,50})\s*\}?\}\}/y
const SAME_NAME_OF_TABLE = /\$\{\s*([A-Za-z0-9_]{1,50})\s*\}/y

/** What the lines of a record's text name. */
export function piecesOf(losses: readonly LossDraft[]): Piece[] {
  return losses.flatMap(({ kept, now }): Piece[] => {
    if (typeof kept === 'string')
      return [{ was: kept, is: now ?? kept }, ...(now === undefined ? [{ was: kept, is: undefined }] : [])]
    if (!Array.isArray(kept)) return []
    return kept.flatMap((each: unknown): Piece[] => {
      if (typeof each === 'string') return [{ was: each, is: undefined }]
      const { was, is } = each as { was?: unknown; is?: unknown }
      return typeof was === 'string' ? [{ was, is: typeof is === 'string' ? is : was }] : []
    })
  })
}

/**
 * Whether the source is the saved text but for the pieces that lines name and names in braces that stay the same name; else
 * the place in the source where it differs. Knows nothing of how it was read.
 */
export function findSilentChange(
  source: string,
  saved: string,
  { pieces, isTable = false }: { pieces: readonly Piece[]; isTable?: boolean },
): string | undefined {
  const [from, to] = [source.trim(), saved.trim()]
  const seen = new Set<number>()
  const open: [number, number][] = [[0, 0]]
  let furthest = 0
  while (open.length > 0) {
    const [i, j] = open.pop() ?? [0, 0]
    if (i === from.length && j === to.length) return undefined
    const key = i * (to.length + 1) + j
    if (seen.has(key)) continue
    seen.add(key)
    furthest = Math.max(furthest, i)
    if (i < from.length && from[i] === to[j]) open.push([i + 1, j + 1])
    for (const pattern of isTable ? [SAME_NAME_OF_TABLE] : [SAME_NAME]) {
      pattern.lastIndex = i
      const same = pattern.exec(from)
      const is = same && `$<${same[1]}>`
      if (same && is && to.startsWith(is, j)) open.push([i + same[0].length, j + is.length])
    }
    for (const { was, is } of pieces) {
      if (was === '') continue
      if (is !== undefined) {
        if (from.startsWith(was, i) && to.startsWith(is, j)) open.push([i + was.length, j + is.length])
        continue
      }
      // What is taken out takes the spaces around it along.
      const before = afterSpaces(from, i)
      if (from.startsWith(was, before))
        open.push([afterSpaces(from, before + was.length), afterSpaces(to, j)])
    }
  }
  return from.slice(Math.max(0, furthest - 20), furthest + 20)
}

function afterSpaces(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at] ?? '')) at += 1
  return at
}
