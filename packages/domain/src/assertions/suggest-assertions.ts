import type { Assertion } from '@catenary/contracts'

const ROOM = 1.5

const LATENCY_MIN_MS = 1000

export function suggestAssertions(answer: { text: string; durationMs: number | null }): Assertion[] {
  const { text, durationMs } = answer
  const form: Assertion[] = isObject(text)
    ? [{ type: 'is-json' }]
    : [{ type: 'word-count', value: { max: roundUp(countWords(text) * ROOM) } }]
  const named = text.trim() === '' ? [] : headingsOf(text)
  return [
    ...form,
    ...(named.length > 0 ? [{ type: 'icontains-all' as const, value: named }] : []),
    { type: 'finish-reason', value: 'stop' },
    ...(durationMs === null
      ? []
      : [{ type: 'latency' as const, threshold: Math.max(LATENCY_MIN_MS, roundUp(durationMs * 2)) }]),
  ]
}

const HEADINGS_MAX = 6

function headingsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#{1,6}\s+(.{1,60})$/gm)].map(([, heading]) => (heading ?? '').trim())
  return [...new Set(headings)].slice(0, HEADINGS_MAX)
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length
}

/** To two figures, so that a bound reads as one. */
function roundUp(number: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, number))) - 1)
  return Math.ceil(number / step) * step
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}
