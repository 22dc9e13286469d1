import { diff } from 'node:util'

const LISTED = 100
const LINES_MAX = 2_000
const CONTEXT = 2

export function listed(title: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  const more = paths.length > LISTED ? [`  and ${paths.length - LISTED} more`] : []
  return [`${title}:`, ...paths.slice(0, LISTED).map((path) => `  ${path}`), ...more]
}

export function differenceOf(there: string, here: string): string[] {
  const [before, after] = [there.split('\n'), here.split('\n')]
  if (before.length > LINES_MAX || after.length > LINES_MAX) return ['  (too long to show)']
  const lines = diff(before, after)
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(([change]) => change !== 0)
  const shown: string[] = []
  let hasGap = false
  for (const [index, [change, line]] of lines.entries()) {
    if (!isNear(index)) {
      hasGap = true
      continue
    }
    if (hasGap && shown.length > 0) shown.push('  …')
    hasGap = false
    // Node counts from the other side: 1 is what only the first has.
    shown.push(`  ${change === 0 ? ' ' : change === 1 ? '-' : '+'} ${printable(line)}`)
  }
  return shown
}

/** A text of someone else moves no cursor and paints nothing. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the characters.
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
