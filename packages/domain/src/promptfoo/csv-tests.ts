import { assertionFromText } from './assertion-from-text.ts'
import { type Fields, ImportError, requireSafeKey } from './draft.ts'
import { readTable } from './read-table.ts'

type Row = Record<string, string>

/** The tests of a table, as promptfoo reads its columns. Throws `ImportError`. */
export function readCsvTests(text: string): Fields[] {
  const rows = readTable(text, readName).map(({ cells }) => cells)
  if (rows.length === 0) throw new ImportError('It has no rows')
  return rows.map(toTest)
}

function readName(header: string): string {
  const name = header.trim()
  requireSafeKey(name.replace('__metadata:', '').replace('[]', ''))
  return name
}

const SINGLE: Record<string, string[]> = {
  __description: ['description'],
  __prefix: ['options', 'prefix'],
  __suffix: ['options', 'suffix'],
  __providerOutput: ['providerOutput'],
}

function toTest(row: Row): Fields {
  const vars: Record<string, string> = {}
  const options: Record<string, string> = {}
  const metadata: Record<string, unknown> = {}
  const own: Record<string, unknown> = {}
  for (const [name, cell] of Object.entries(row)) {
    const [place, within] = (Object.hasOwn(SINGLE, name) && SINGLE[name]) || []
    if (place === undefined && name.startsWith('__metadata:')) readMetadata(metadata, name, cell)
    else if (place === undefined && !isSpecial(name)) vars[name] = cell
    else if (place !== undefined && cell !== '') {
      if (within === undefined) own[place] = cell
      else options[within] = cell
    }
  }
  const threshold = readNumber(row.__threshold)
  return {
    ...own,
    vars,
    assert: readAssertions(row),
    ...(threshold !== undefined && { threshold }),
    ...(Object.keys(options).length > 0 && { options }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

function isSpecial(name: string): boolean {
  return /^__(expected|metric$|threshold$|metadata|config:)/.test(name)
}

function readAssertions(row: Row): Fields[] {
  const expected = Object.entries(row).filter(
    ([name, cell]) => name.startsWith('__expected') && cell.trim() !== '',
  )
  return expected.map(([, cell], index) => {
    const threshold = readThreshold(row, index)
    return {
      ...assertionFromText(cell.trim()),
      ...(row.__metric && { metric: row.__metric }),
      ...(threshold !== undefined && { threshold }),
    }
  })
}

/** `__config:__expected2:threshold` is of the second one. */
function readThreshold(row: Row, index: number): number | undefined {
  const first = index === 0 ? row['__config:__expected:threshold'] : undefined
  return readNumber(first ?? row[`__config:__expected${index + 1}:threshold`])
}

function readMetadata(metadata: Record<string, unknown>, name: string, cell: string): void {
  const key = name.slice('__metadata:'.length)
  if (cell.trim() === '') return
  if (key.endsWith('[]')) {
    metadata[key.slice(0, -2)] = cell.split(/(?<!\\),/).map((each) => each.trim().replaceAll('\\,', ','))
  } else metadata[key] = cell
}

/** A cell that is no whole number literal says nothing. */
function readNumber(cell: string | undefined): number | undefined {
  const text = cell?.trim() ?? ''
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined
}
