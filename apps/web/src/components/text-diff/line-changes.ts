import { diff } from '@codemirror/merge'

/** Lines in which two texts differ, as indexes; the ends are excluded. */
interface LineChange {
  fromA: number
  toA: number
  fromB: number
  toB: number
}

/** Each distinct line is compared as one character; beyond are halves of characters. */
const DISTINCT_MAX = 0xd800

const EFFORT = { scanLimit: 5_000, timeout: 20 }

/** With more different lines, comparing takes quadratic time, despite its limits. */
const DIFFERING_MAX = 5_000

export function lineChanges(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const codes = new Map<string, number>()
  const asOneText = (lines: readonly string[]) =>
    lines
      .map((line) => {
        const code = codes.get(line) ?? codes.size
        codes.set(line, code)
        return String.fromCharCode(code)
      })
      .join('')
  const [a, b] = [asOneText(before), asOneText(after)]
  if (codes.size > DISTINCT_MAX) return [{ fromA: 0, toA: before.length, fromB: 0, toB: after.length }]
  let [start, end] = [0, 0]
  while (start < a.length && a[start] === b[start]) start += 1
  const shorter = Math.min(a.length, b.length) - start
  while (end < shorter && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  const whole = { fromA: start, toA: a.length - end, fromB: start, toB: b.length - end }
  return Math.min(whole.toA, whole.toB) - start > DIFFERING_MAX ? [whole] : diff(a, b, EFFORT)
}

export function changedLines({ before, after }: { before: string; after: string }) {
  const changes = before === after ? [] : lineChanges(linesOf(before), linesOf(after))
  return {
    added: changes.flatMap(({ fromB, toB }) =>
      Array.from({ length: toB - fromB }, (_, index) => fromB + index),
    ),
    removed: changes.reduce((sum, { fromA, toA }) => sum + toA - fromA, 0),
  }
}

function linesOf(text: string): string[] {
  return text.split(/\r\n?|\n/)
}
