export interface HeaderRow {
  name: string
  value: string
}

/** The field characters of RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const MASK = '••••••••'

export function rowsOf(headers: Readonly<Record<string, string>>): HeaderRow[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

/** The map that is sent; rows left blank don't count. */
export function headersOf(rows: readonly HeaderRow[]): Record<string, string> {
  return Object.fromEntries(
    rows.filter((row) => !isBlank(row)).map(({ name, value }) => [name.trim(), value.trim()]),
  )
}

export function headerProblem({
  rows,
  index,
  kept = [],
}: {
  rows: readonly HeaderRow[]
  index: number
  /** Names whose stored values this person does not see: left empty, they stay. */
  kept?: readonly string[]
}): { field: keyof HeaderRow; message: string } | undefined {
  const row = rows[index]
  if (!row || isBlank(row)) return undefined
  const name = row.name.trim().toLowerCase()
  if (name === '') return { field: 'name', message: 'Give the header a name' }
  if (!HEADER_NAME.test(name))
    return { field: 'name', message: 'Use only letters, digits and hyphens in a header name' }
  if (rows.slice(0, index).some((earlier) => earlier.name.trim().toLowerCase() === name))
    return { field: 'name', message: 'There is already a header with this name' }
  if (row.value.trim() === '' && !kept.some((stored) => stored.toLowerCase() === name))
    return { field: 'value', message: 'Give the header a value, or remove it' }
  if (!HEADER_VALUE.test(row.value))
    return { field: 'value', message: 'A header value has no line breaks and no characters beyond Latin-1' }
  return undefined
}

export function headersJson({ rows, masked }: { rows: readonly HeaderRow[]; masked: boolean }): string {
  const headers = headersOf(rows)
  if (Object.keys(headers).length === 0) return ''
  const shown = Object.entries(headers).map(([name, value]) => [name, masked && value !== '' ? MASK : value])
  return JSON.stringify(Object.fromEntries(shown), null, 2)
}

/** The rows that a JSON text holds, none if it is blank; null when it is not a map of texts. */
export function parseHeadersJson(json: string): HeaderRow[] | null {
  if (json.trim() === '') return []
  try {
    const parsed: unknown = JSON.parse(json)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
    const rows = Object.entries(parsed).map(([name, value]) => ({ name, value }))
    return rows.every(isHeader) ? rows : null
  } catch {
    return null
  }
}

/** Names without their values: all that may be kept outside the form. */
export function withoutValues(rows: readonly HeaderRow[]): HeaderRow[] {
  return rows.map(({ name }) => ({ name, value: '' }))
}

export function withStoredValues({
  rows,
  stored,
}: {
  rows: readonly HeaderRow[]
  stored: Readonly<Record<string, string>>
}): HeaderRow[] {
  const known = new Map(Object.entries(stored))
  return rows.map(({ name }) => ({ name, value: known.get(name) ?? '' }))
}

function isBlank({ name, value }: HeaderRow): boolean {
  return name.trim() === '' && value.trim() === ''
}

function isHeader(row: { name: string; value: unknown }): row is HeaderRow {
  return typeof row.value === 'string' && HEADER_NAME.test(row.name)
}
