import {
  ASSERTION_KINDS,
  type AssertionKind,
  type AssertionOf,
  type GradedAnswer,
  type PlainAssertion,
  readAssertionType,
} from '@catenary/contracts'
import { readPath } from '../answer-schema/paths.ts'
import { readJsonText, sayJson } from '../json/json-at.ts'
import { type Finding, type Grader, GradingError } from './finding.ts'
import { containsJson, isJson } from './json-graders.ts'
import { cost, finishReason, latency } from './metric-graders.ts'
import {
  contains,
  containsAll,
  containsAny,
  equals,
  icontains,
  icontainsAll,
  icontainsAny,
  levenshtein,
  regex,
  startsWith,
  wordCount,
} from './text-graders.ts'

export type JudgedKind = {
  [Name in AssertionKind]: (typeof ASSERTION_KINDS)[Name] extends { isJudged: true } ? Name : never
}[AssertionKind]
type GradedKind = Exclude<AssertionKind, JudgedKind>
export type GradedAssertion = AssertionOf<GradedKind>
export type JudgedAssertion = AssertionOf<JudgedKind>

export interface Outcome {
  passed: boolean
  score: number
  reason: string
}

const GRADERS: { [Name in GradedKind]: Grader<Name> } = {
  equals,
  contains,
  icontains,
  'contains-any': containsAny,
  'contains-all': containsAll,
  'icontains-any': icontainsAny,
  'icontains-all': icontainsAll,
  'starts-with': startsWith,
  regex,
  'is-json': isJson,
  'contains-json': containsJson,
  levenshtein,
  latency,
  cost,
  'word-count': wordCount,
  'finish-reason': finishReason,
}

export function isJudged(assertion: PlainAssertion): assertion is JudgedAssertion {
  return 'isJudged' in ASSERTION_KINDS[readAssertionType(assertion.type).kind]
}

export function gradeAssertion(assertion: GradedAssertion, answer: GradedAnswer): Outcome {
  const { kind, isNot } = readAssertionType(assertion.type)
  const grade = GRADERS[kind as GradedKind] as (assertion: GradedAssertion, answer: GradedAnswer) => Finding
  try {
    const path = 'path' in assertion ? assertion.path : undefined
    const { holds, because } = grade(assertion, path === undefined ? answer : fieldOf(answer, path))
    return toOutcome(holds !== isNot, path === undefined ? because : `${path}: ${because}`)
  } catch (error) {
    if (error instanceof GradingError) return toOutcome(false, error.message)
    throw error
  }
}

export function toOutcome(passed: boolean, reason: string): Outcome {
  return { passed, score: passed ? 1 : 0, reason }
}

/** The answer with a field of it in place of the whole: a text as it is, anything else as the JSON that stands there. Throws `GradingError`. */
function fieldOf(answer: GradedAnswer, path: string): GradedAnswer {
  const json = readJsonText(answer.text)
  if (json === undefined) throw new GradingError('It is not valid JSON, so it has no fields')
  const found = json.at(readPath(path) ?? [])
  if (found === undefined) throw new GradingError(`The answer has no field ${path}`)
  return { ...answer, text: sayJson(found) }
}
