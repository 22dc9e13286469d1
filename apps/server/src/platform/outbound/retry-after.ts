const SECOND_MS = 1_000
const SECONDS = /^\d+(\.\d+)?$/

/** In milliseconds, from seconds or an HTTP date; undefined where it can't be read. `now` is a `Date.now()`. */
export function readRetryAfter({ value, now }: { value: string; now: number }): number | undefined {
  if (SECONDS.test(value)) return Number(value) * SECOND_MS
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
