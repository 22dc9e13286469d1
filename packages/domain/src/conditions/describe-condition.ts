import type { Comparison, Condition, InnerConditions } from '@catenary/contracts'

/** A piece of a sentence: a name that it reads, a text that it is compared with, or words. */
export interface ConditionPiece {
  kind: 'name' | 'value' | 'words'
  text: string
}

const WORDS: Record<Comparison['op'], readonly [is: string, isNot: string]> = {
  is: ['is', 'is not'],
  contains: ['contains', 'does not contain'],
  is_one_of: ['is one of', 'is none of'],
  is_empty: ['is empty', 'is not empty'],
  matches: ['matches', 'does not match'],
  '>': ['is greater than', 'is not greater than'],
  '<': ['is less than', 'is not less than'],
}

/** ‘is’, ‘is not’, ‘is one of’. */
export function comparisonWords({ op, not }: Pick<Comparison, 'op' | 'not'>): string {
  return WORDS[op][not ? 1 : 0]
}

/** ‘triage.severity is high and (client is Halden or client is empty)’, in pieces. */
export function describeCondition(condition: Condition | InnerConditions): ConditionPiece[] {
  const [parts, word] = 'any' in condition ? [condition.any, 'or'] : [condition.all, 'and']
  return parts.flatMap((part, index) => [
    ...(index === 0 ? [] : [words(word)]),
    ...('op' in part ? describeComparison(part) : [words('('), ...describeCondition(part), words(')')]),
  ])
}

/** The same as a text. */
export function conditionText(condition: Condition): string {
  return describeCondition(condition)
    .map(({ text }) => text)
    .join(' ')
    .replaceAll('( ', '(')
    .replaceAll(' )', ')')
}

function describeComparison(comparison: Comparison): ConditionPiece[] {
  const is: ConditionPiece[] = [{ kind: 'name', text: comparison.ref }, words(comparisonWords(comparison))]
  if (comparison.op === 'is_empty') return is
  const values = comparison.op === 'is_one_of' ? comparison.value : [comparison.value]
  return [...is, { kind: 'value', text: values.map((value) => (value === '' ? '“”' : value)).join(', ') }]
}

const words = (text: string): ConditionPiece => ({ kind: 'words', text })
