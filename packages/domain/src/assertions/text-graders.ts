import { type AssertionOf, DEFAULT_DISTANCE, type GradedAnswer } from '@catenary/contracts'
import { dequal } from 'dequal'
import { distance } from 'fastest-levenshtein'
import { readCommaSeparated } from './comma-separated.ts'
import { type Finding, type Grader, GradingError, quote, quoteAll } from './finding.ts'

export const equals: Grader<'equals'> = ({ value }, { text }) => {
  const holds = typeof value === 'object' ? isSameJson(value, text) : String(value) === text
  return { holds, because: holds ? `It is ${quote(value)}` : `It is ${quote(text)}, not ${quote(value)}` }
}

function isSameJson(value: unknown, text: string): boolean {
  try {
    return dequal(value, JSON.parse(text))
  } catch {
    return false
  }
}

type Fold = (text: string) => string
const asWritten: Fold = (text) => text
const lowerCase: Fold = (text) => text.toLowerCase()

const containsBy =
  (fold: Fold) =>
  ({ value }: AssertionOf<'contains' | 'icontains'>, { text }: GradedAnswer): Finding => {
    const holds = fold(text).includes(fold(requireText(String(value))))
    return { holds, because: `It ${holds ? 'contains' : 'does not contain'} ${quote(String(value))}` }
  }

export const contains: Grader<'contains'> = containsBy(asWritten)
export const icontains: Grader<'icontains'> = containsBy(lowerCase)

const missingBy =
  (fold: Fold) =>
  (wanted: readonly string[], text: string): string[] => {
    const folded = fold(text)
    return wanted.filter((each) => !folded.includes(fold(each)))
  }

function listOf({ value }: AssertionOf<'contains-any' | 'contains-all' | 'icontains-any' | 'icontains-all'>) {
  return typeof value === 'string' ? readCommaSeparated(requireText(value)) : value.map(String)
}

function requireText(text: string): string {
  if (text === '') throw new GradingError('With its values filled in, there is nothing to look for')
  return text
}

const containsAnyBy =
  (fold: Fold) =>
  (assertion: AssertionOf<'contains-any' | 'icontains-any'>, { text }: GradedAnswer): Finding => {
    const wanted = listOf(assertion)
    const missing = missingBy(fold)(wanted, text)
    const found = wanted.filter((each) => !missing.includes(each))
    return found.length > 0
      ? { holds: true, because: `It contains ${quoteAll(found)}` }
      : { holds: false, because: `It contains none of ${quoteAll(wanted)}` }
  }

const containsAllBy =
  (fold: Fold) =>
  (assertion: AssertionOf<'contains-all' | 'icontains-all'>, { text }: GradedAnswer): Finding => {
    const wanted = listOf(assertion)
    const missing = missingBy(fold)(wanted, text)
    return missing.length === 0
      ? { holds: true, because: `It contains all of ${quoteAll(wanted)}` }
      : { holds: false, because: `It does not contain ${quoteAll(missing)}` }
  }

export const containsAny: Grader<'contains-any'> = containsAnyBy(asWritten)
export const icontainsAny: Grader<'icontains-any'> = containsAnyBy(lowerCase)
export const containsAll: Grader<'contains-all'> = containsAllBy(asWritten)
export const icontainsAll: Grader<'icontains-all'> = containsAllBy(lowerCase)

export const startsWith: Grader<'starts-with'> = ({ value }, { text }) => {
  const holds = text.startsWith(requireText(value))
  return {
    holds,
    because: holds
      ? `It starts with ${quote(value)}`
      : `It starts with ${quote(text.slice(0, value.length))}`,
  }
}

export const regex: Grader<'regex'> = ({ value }, { text }) => {
  const holds = compile(requireText(value)).test(text)
  return { holds, because: `The pattern ${quote(value)} ${holds ? 'matches' : 'does not match'}` }
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern)
  } catch (error) {
    throw new GradingError(`This is not a valid pattern: ${(error as Error).message}`)
  }
}

export const levenshtein: Grader<'levenshtein'> = ({ value, threshold = DEFAULT_DISTANCE }, { text }) => {
  const changes = distance(text, value)
  return { holds: changes <= threshold, because: `${changes} changed characters, at most ${threshold}` }
}

export const wordCount: Grader<'word-count'> = ({ value }, { text }) => {
  const words = text.split(/\s+/).filter((word) => word !== '').length
  const { min, max } = typeof value === 'object' ? value : { min: Number(value), max: Number(value) }
  const holds = words >= (min ?? 0) && words <= (max ?? Number.POSITIVE_INFINITY)
  return { holds, because: `${words} ${words === 1 ? 'word' : 'words'}, ${describeBounds(min, max)}` }
}

function describeBounds(min: number | undefined, max: number | undefined): string {
  if (min === max) return `exactly ${min}`
  if (min === undefined) return `at most ${max}`
  return max === undefined ? `at least ${min}` : `${min} to ${max}`
}
