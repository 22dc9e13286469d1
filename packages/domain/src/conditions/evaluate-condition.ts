import type { Comparison, Condition, InnerConditions } from '@catenary/contracts'
import { compareDecimals } from './compare-decimals.ts'

/** A comparison that can't be made, such as a number with a text. */
export class ConditionUnreadableError extends Error {}

export interface ConditionReader {
  /** The text of a name without braces. Throws where it has none. */
  read: (ref: string) => string
  /** Whether a regular expression finds something in a text, in bounded time. */
  matches: (pattern: string, text: string) => Promise<boolean>
}

type Part = Condition | InnerConditions | Comparison

/**
 * Whether it holds. Reads from left to right, and no further than it takes. Throws `ConditionUnreadableError` for a
 * comparison of numbers with what is none, and whatever the reader throws.
 */
export async function evaluateCondition(part: Part, reader: ConditionReader): Promise<boolean> {
  if ('op' in part) return (await compare(part, reader)) !== (part.not ?? false)
  const isAny = 'any' in part
  for (const inner of isAny ? part.any : part.all) {
    if ((await evaluateCondition(inner, reader)) === isAny) return isAny
  }
  return !isAny
}

async function compare(comparison: Comparison, { read, matches }: ConditionReader): Promise<boolean> {
  const text = read(comparison.ref)
  switch (comparison.op) {
    case 'is':
      return text === comparison.value
    case 'contains':
      return text.includes(comparison.value)
    case 'is_empty':
      return text.trim() === ''
    case 'is_one_of':
      return comparison.value.includes(text)
    case 'matches':
      return matches(comparison.value, text)
    case '>':
    case '<':
      return isInOrder({ ...comparison, op: comparison.op }, text)
  }
}

function isInOrder({ ref, op, value }: { ref: string; op: '>' | '<'; value: string }, text: string): boolean {
  const order = compareDecimals(text, value)
  if (order !== undefined) return op === '>' ? order > 0 : order < 0
  const isRead = compareDecimals(text, '0') !== undefined
  throw new ConditionUnreadableError(
    isRead
      ? `The condition compares ${ref} with ${quote(value)}, which is not a number`
      : `${ref} is ${quote(text)}, which is not a number`,
  )
}

const QUOTED_MAX = 100

function quote(text: string): string {
  return text.length > QUOTED_MAX ? `“${text.slice(0, QUOTED_MAX)}…”` : `“${text}”`
}

/** What holds exactly where that doesn't. */
export function oppositeOf(condition: Condition): Condition {
  return 'any' in condition ? { all: condition.any.map(negate) } : { any: condition.all.map(negate) }
}

function negate(part: Comparison | InnerConditions): Comparison | InnerConditions {
  if ('op' in part) return negateComparison(part)
  return 'any' in part ? { all: part.any.map(negateComparison) } : { any: part.all.map(negateComparison) }
}

function negateComparison({ not, ...comparison }: Comparison): Comparison {
  return not ? comparison : { ...comparison, not: true }
}
