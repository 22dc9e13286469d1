import type { AssertionKind, AssertionOf, GradedAnswer } from '@catenary/contracts'

export interface Finding {
  holds: boolean
  /** In words, whether or not it was wanted: '151 words, at most 140'. */
  because: string
}

/** Nothing could be found: the assertion fails, and so does its opposite. */
export class GradingError extends Error {}

export type Grader<Name extends AssertionKind> = (
  assertion: AssertionOf<Name>,
  answer: GradedAnswer,
) => Finding

const QUOTED_MAX = 200

export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > QUOTED_MAX ? `“${text.slice(0, QUOTED_MAX).toWellFormed()}…”` : `“${text}”`
}

const LISTED_MAX = 10

export function quoteAll(values: readonly unknown[]): string {
  const named = values.slice(0, LISTED_MAX).map(quote).join(', ')
  return values.length > LISTED_MAX ? `${named} and ${values.length - LISTED_MAX} more` : named
}
