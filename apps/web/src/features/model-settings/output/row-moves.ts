import type { SchemaRow } from './schema-rows.ts'

/** Rows in another order; a place outside of them changes nothing. */
export function movedRow(rows: SchemaRow[], { from, to }: { from: number; to: number }): SchemaRow[] {
  const row = rows[from]
  if (row === undefined || to < 0 || to >= rows.length || from === to) return rows
  return rows.toSpliced(from, 1).toSpliced(to, 0, row)
}

/** Changes the rows of one list by what they are now. */
export type ChangeRows = (update: (rows: SchemaRow[]) => SchemaRow[]) => void

/** Changes one row of a list. */
export function changedRow(
  rows: SchemaRow[],
  { id, change }: { id: string; change: (row: SchemaRow) => SchemaRow },
): SchemaRow[] {
  return rows.map((row) => (row.id === id ? change(row) : row))
}
