import { GradingError } from './finding.ts'

/** As promptfoo reads it: quoted entries may hold commas, empty ones don't count. */
export function readCommaSeparated(text: string): string[] {
  const entries: string[] = []
  let at = skip(text, 0, /[\s,]/)
  while (at < text.length) {
    if (text[at] === '"') {
      const { entry, end } = readQuoted(text, at)
      entries.push(entry)
      at = skip(text, end, /\s/)
      if (at < text.length && text[at] !== ',') throw new GradingError('Put a comma after a quoted entry')
    } else {
      const comma = text.indexOf(',', at)
      const end = comma < 0 ? text.length : comma
      entries.push(text.slice(at, end).trim())
      at = end
    }
    at = skip(text, at, /[\s,]/)
  }
  return entries
}

function skip(text: string, from: number, what: RegExp): number {
  let at = from
  while (at < text.length && what.test(text.charAt(at))) at++
  return at
}

function readQuoted(text: string, from: number): { entry: string; end: number } {
  let entry = ''
  for (let at = from + 1; at < text.length; at++) {
    const pair = text.slice(at, at + 2)
    if (pair === '\\"' || pair === '\\\\' || pair === '""') {
      entry += pair[1]
      at++
    } else if (text[at] === '"') return { entry, end: at + 1 }
    else entry += text[at]
  }
  throw new GradingError('A quoted entry has no closing quote')
}
