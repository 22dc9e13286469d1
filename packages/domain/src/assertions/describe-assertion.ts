import {
  ASSERT_SET,
  type Assertion,
  type AssertionKind,
  type AssertionOf,
  DEFAULT_DISTANCE,
  type PlainAssertion,
  readAssertionType,
} from '@catenary/contracts'
import { formatUsd, usdToNanos } from '../costs.ts'
import { quote, quoteAll } from './finding.ts'

type Words = readonly [is: string, isNot: string]
type Describe<Name extends AssertionKind> = (assertion: AssertionOf<Name>) => Words

const DESCRIBE: { [Name in AssertionKind]: Describe<Name> } = {
  equals: ({ value }) => both('Is', 'Is not', quote(value)),
  contains: ({ value }) => both('Contains', 'Does not contain', quote(String(value))),
  icontains: ({ value }) => both('Contains', 'Does not contain', `${quote(String(value))} (ignore case)`),
  'contains-any': ({ value }) => both('Contains any of', 'Contains none of', listed(value)),
  'contains-all': ({ value }) => both('Contains all of', 'Does not contain all of', listed(value)),
  'icontains-any': ({ value }) =>
    both('Contains any of', 'Contains none of', `${listed(value)} (ignore case)`),
  'icontains-all': ({ value }) =>
    both('Contains all of', 'Does not contain all of', `${listed(value)} (ignore case)`),
  'starts-with': ({ value }) => both('Starts with', 'Does not start with', quote(value)),
  regex: ({ value }) => both('Matches the pattern', 'Does not match the pattern', quote(value)),
  'is-json': ({ value }) => both('Is', 'Is not', value ? 'JSON that matches the schema' : 'JSON'),
  'contains-json': ({ value }) =>
    both('Contains', 'Does not contain', value ? 'JSON that matches the schema' : 'JSON'),
  levenshtein: ({ value, threshold = DEFAULT_DISTANCE }) =>
    both('At most', 'More than', `${threshold} changed characters from ${quote(value)}`),
  latency: ({ threshold }) =>
    both('Takes at most', 'Takes more than', `${threshold.toLocaleString('en')} ms`),
  cost: ({ threshold }) => both('Costs at most', 'Costs more than', formatUsd(usdToNanos(threshold))),
  'word-count': ({ value }) => both('Has', 'Does not have', wordsOf(value)),
  'finish-reason': ({ value }) => both('Finish reason is', 'Finish reason is not', quote(value)),
  'llm-rubric': ({ value }) =>
    both('Model-graded:', 'Model-graded, must not hold:', quote(value ?? 'what its prompt asks for')),
  factuality: ({ value }) => both('Agrees with the facts:', 'Disagrees with the facts:', quote(value)),
  'select-best': ({ value }) => both('Is the best by:', '', quote(value)),
}

/** In words: 'Contains “refund” (ignore case)'. */
export function describeAssertion(assertion: Assertion): string {
  if (assertion.type === ASSERT_SET) {
    const inner = assertion.assert.map(describeAssertion).join('; ')
    return assertion.threshold === undefined
      ? `All of: ${inner}`
      : `Score ${assertion.threshold} of: ${inner}`
  }
  const { kind, isNot } = readAssertionType(assertion.type)
  const describe = DESCRIBE[kind] as (assertion: PlainAssertion) => Words
  const words = describe(assertion)[isNot ? 1 : 0]
  return 'path' in assertion && assertion.path !== undefined ? `${assertion.path}: ${words}` : words
}

function both(is: string, isNot: string, what: string): Words {
  return [`${is} ${what}`, `${isNot} ${what}`]
}

function listed(value: AssertionOf<'contains-any'>['value']): string {
  return typeof value === 'string' ? value : quoteAll(value)
}

function wordsOf(value: AssertionOf<'word-count'>['value']): string {
  if (typeof value !== 'object') return `exactly ${value} words`
  const { min, max } = value
  if (min === undefined) return `at most ${max} words`
  return max === undefined ? `at least ${min} words` : `${min} to ${max} words`
}
