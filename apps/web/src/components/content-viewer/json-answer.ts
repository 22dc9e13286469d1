/** What is known of an answer that had to be JSON by a schema. */
export interface JsonAnswer {
  isValid: boolean
  /** It did not match at first. */
  isRepaired: boolean
  /** What keeps it from matching, in one sentence each. */
  problems: readonly { path: string; message: string }[]
  /** Values that a repair changed; null: there was none. A path is written as `items[0].title`. */
  repairs: readonly { path: string; before: string | null }[]
}

/** The place of a value within another. */
export function pathWithin(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`
  return path === '' ? step : `${path}.${step}`
}
