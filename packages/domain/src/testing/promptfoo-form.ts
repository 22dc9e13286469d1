import { ASSERT_SET, type Assertion } from '@catenary/contracts'
import { toTemplate } from '../promptfoo/templates.ts'

/** An assertion as promptfoo's file has it: with its references. */
export function toPromptfoo(assertion: Assertion): object {
  if (assertion.type === ASSERT_SET) return { ...named(assertion), assert: assertion.assert.map(toPromptfoo) }
  const value = 'value' in assertion ? assertion.value : undefined
  return {
    ...named(assertion),
    ...(typeof value === 'string' && { value: toTemplate(value) }),
    ...(Array.isArray(value) && {
      value: value.map((each) => (typeof each === 'string' ? toTemplate(each) : each)),
    }),
  }
}

function named(assertion: Assertion): object {
  const { metric } = assertion
  return { ...assertion, ...(metric !== undefined && { metric: toTemplate(metric) }) }
}
