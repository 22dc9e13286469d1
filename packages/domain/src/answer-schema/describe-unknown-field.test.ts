import { expect, test } from 'vitest'
import { describeUnknownPath } from './describe-unknown-field.ts'

const title = { type: 'object', properties: { title: { type: 'string' } } }
const schema = {
  type: 'object',
  properties: { items: { type: 'array', items: title }, refund: { type: 'number' } },
}

test.each([
  ['refund', undefined],
  ['items[0].title', undefined],
  ['refnd', 'The schema has no field refnd'],
  ['items[0].titel', 'items[0] has no field titel'],
  ['refund[0]', 'refund is not a list'],
  ['refund.cents', 'refund has no field cents'],
  ['', undefined],
  ['no path', undefined],
])('%s: %s', (path, said) => {
  expect(describeUnknownPath({ path, schema })).toBe(said)
})
