import { parse } from 'csv-parse/sync'
import { ImportError } from './draft.ts'

/** By commas, or as spreadsheets in most of Europe write it. */
const SEPARATORS = [',', ';', '\t'] as const

/** What separates the columns: of the head line's separators outside of quotes the most frequent. */
function findSeparator(text: string): (typeof SEPARATORS)[number] {
  const counts = new Map<string, number>()
  let isQuoted = false
  for (const character of headOf(text)) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const countOf = (separator: string) => counts.get(separator) ?? 0
  return SEPARATORS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best))
}

const HEAD_MAX = 100_000

const headOf = (text: string): string =>
  (text.replace(/^\ufeff/, '').split('\n', 1)[0] ?? '').slice(0, HEAD_MAX)

/** Names of the columns of a table; none where the text has no head line of one. */
export function readHead(text: string): string[] {
  const names = headOf(text).split(findSeparator(text))
  return names.map((name) => name.trim().replace(/^"|"$/g, '').trim())
}

export interface TableRow {
  /** Where the row begins, from 1. */
  line: number
  cells: Record<string, string>
}

export function readTable(text: string, readName = (name: string) => name.trim()): TableRow[] {
  try {
    const rows = parse<{ record: Record<string, string>; raw: string; info: { lines: number } }>(text, {
      columns: (header: string[]) => header.map(readName),
      delimiter: findSeparator(text),
      bom: true,
      info: true,
      raw: true,
      skip_empty_lines: true,
      relax_column_count_less: true,
    })
    return rows.map(({ record, raw, info }) => ({
      line:
        info.lines -
        (raw
          .replace(/^\s*\n/, '')
          .trimEnd()
          .match(/\n/g)?.length ?? 0),
      cells: record,
    }))
  } catch (error) {
    if (error instanceof ImportError) throw error
    throw new ImportError(`It is not a table: ${(error as Error).message}`)
  }
}
