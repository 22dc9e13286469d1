import type { VariableField } from '../run-form.ts'

export type ValueKind = 'choice' | 'switch' | 'number' | 'text'

const OFF_AND_ON = [
  ['false', 'true'],
  ['no', 'yes'],
  ['off', 'on'],
] as const
/** Without leading zeros and within what a number input keeps: a postal code is a text. */
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/

/** The off/on pair that a text belongs to, in the text's own case. */
export function offAndOn(text: string): readonly [off: string, on: string] | undefined {
  for (const [off, on] of OFF_AND_ON) {
    for (const write of [lower, upper, capitalised]) {
      if (text === write(off) || text === write(on)) return [write(off), write(on)]
    }
  }
  return undefined
}

/** Derived from the stored value, so that the input stays while someone types; a value that doesn't fit is a text. */
export function valueKindOf({
  type,
  allowedValues,
  stored,
  value,
}: Pick<VariableField, 'type' | 'allowedValues' | 'stored' | 'value'>): ValueKind {
  if (type !== 'text' || stored === null) return 'text'
  if (allowedValues.length > 0) return 'choice'
  if (offAndOn(stored)?.includes(value)) return 'switch'
  return NUMBER.test(stored) && (value === '' || NUMBER.test(value)) ? 'number' : 'text'
}

const lower = (word: string) => word
const upper = (word: string) => word.toUpperCase()
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
