import type { Difference } from './conflict-panel.tsx'

interface ConflictRow<Values> {
  label: string
  show: (values: Values) => string
}

export type ConflictRows<Values> = {
  [Field in keyof Values]: ConflictRow<Values> | (Values[Field] extends string ? string : never)
}

export function differencesBetween<Values extends object>({
  rows,
  mine,
  theirs,
}: {
  rows: ConflictRows<Values>
  mine: Values
  theirs: Values
}): Difference[] {
  const entries = Object.entries(rows) as [keyof Values, string | ConflictRow<Values>][]
  return entries
    .map(([field, row]) =>
      typeof row === 'string' ? { label: row, show: (values: Values) => String(values[field]) } : row,
    )
    .map(({ label, show }) => ({ label, mine: show(mine), theirs: show(theirs) }))
    .filter((row) => row.mine !== row.theirs)
}

/** Tags as a conflict shows them: their order doesn't count. */
export function namesOf(tags: readonly { name: string }[]): string {
  return tags
    .map(({ name }) => name)
    .sort()
    .join(', ')
}
