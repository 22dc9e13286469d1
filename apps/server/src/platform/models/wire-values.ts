/** PostgreSQL's text holds no such character. */
const NUL = /\0/g

/** The value where it is a text; what an API leaves out is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replace(NUL, '\uFFFD') : ''
}

/** The largest count that a step's row holds. */
const COUNT_MAX = 2 ** 31 - 1

/** The value where it is a count of tokens. */
export function countOf(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 0 ? Math.min(Number(value), COUNT_MAX) : null
}

/** The sum of what was counted; null where nothing was. */
export function sumOf(...counts: (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null)
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0)
}
