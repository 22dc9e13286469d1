import type { ActivityRow } from '@catenary/contracts'

type Cell = string | number | null | undefined

const COLUMNS: Record<string, (row: ActivityRow) => Cell> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  person_id: ({ person }) => person?.id,
  person: ({ person }) => person?.username,
  kind: ({ kind }) => kind,
  object_type: ({ object }) => object.type,
  object_id: ({ object }) => object.id,
  object_name: ({ object }) => object.name,
  door: ({ door }) => door,
  address: ({ address }) => address,
  before: ({ before }) => before && JSON.stringify(before),
  after: ({ after }) => after && JSON.stringify(after),
  reason: ({ reason }) => reason,
  count: ({ count }) => count,
  link_number: ({ link }) => link?.number,
  link_hash: ({ link }) => link?.hash,
}

export const toCsvHeader = (): string => `${Object.keys(COLUMNS).join(',')}\r\n`

export const toCsvLine = (row: ActivityRow): string =>
  `${Object.values(COLUMNS)
    .map((cellOf) => toCell(cellOf(row)))
    .join(',')}\r\n`

/** What programs of spreadsheets would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/

function toCell(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
