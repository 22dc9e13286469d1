import {
  ASSERTION_KINDS,
  flattenAssertions,
  type PlainAssertion,
  readAssertionType,
} from '@catenary/contracts'
import type { FrozenCase } from './frozen-cases.ts'

const kindOf = ({ type }: PlainAssertion) => readAssertionType(type).kind

const isComparing = (assertion: PlainAssertion): boolean => kindOf(assertion) === 'select-best'

const isJudged = (assertion: PlainAssertion): boolean => 'isJudged' in ASSERTION_KINDS[kindOf(assertion)]

const judgedOf = ({ assertions }: FrozenCase): PlainAssertion[] =>
  flattenAssertions(assertions).filter(isJudged)

export const isJudgedCase = (frozen: FrozenCase): boolean => judgedOf(frozen).length > 0

export const isComparedCase = (frozen: FrozenCase): boolean => judgedOf(frozen).some(isComparing)

export function countJudgeCalls(asked: FrozenCase[][]): number {
  const single = asked
    .flat()
    .flatMap(judgedOf)
    .filter((assertion) => !isComparing(assertion))
  const compared = [...new Set(asked.flat())].flatMap(judgedOf).filter(isComparing)
  return single.length + compared.length
}

export function judgeTextOf(frozen: FrozenCase): string {
  return judgedOf(frozen)
    .map((assertion) => JSON.stringify(assertion))
    .join('\n')
}
