import { presentableDiff } from '@codemirror/merge'
import { lineChanges } from '../text-diff/line-changes.ts'

export interface Span {
  from: number
  to: number
}

const EFFORT = { scanLimit: 500, timeout: 12 }

export function wordDifferences({ text, other }: { text: string; other: string }): Span[] {
  const [before, after] = [other.split('\n'), text.split('\n')]
  const starts = startsOf(after)
  const spans: Span[] = []
  for (const { fromA, toA, fromB, toB } of lineChanges(before, after)) {
    if (fromB === toB) continue
    const start = starts[fromB] ?? 0
    const changes = presentableDiff(
      before.slice(fromA, toA).join('\n'),
      after.slice(fromB, toB).join('\n'),
      EFFORT,
    )
    for (const { fromB: from, toB: to } of changes)
      if (to > from) addWords(spans, { text, from: start + from, to: start + to })
  }
  return spans
}

const WORD = /[\p{L}\p{N}]/u
const isWord = (character: string | undefined) => character !== undefined && WORD.test(character)

function addWords(spans: Span[], { text, from, to }: Span & { text: string }): void {
  let [start, end] = [from, to]
  while (start < end && text[start]?.trim() === '') start += 1
  while (end > start && text[end - 1]?.trim() === '') end -= 1
  if (start === end) return
  while (isWord(text[start]) && isWord(text[start - 1])) start -= 1
  while (isWord(text[end]) && isWord(text[end - 1])) end += 1
  const last = spans.at(-1)
  if (last && start <= last.to) last.to = Math.max(last.to, end)
  else spans.push({ from: start, to: end })
}

function startsOf(lines: readonly string[]): number[] {
  let at = 0
  return lines.map((line) => {
    const start = at
    at += line.length + 1
    return start
  })
}
