import { expect, test } from 'vitest'
import { findConflict } from './find-conflict.ts'

const text = { type: 'string' }
const own = {
  type: 'object',
  properties: {
    city: text,
    population: { type: 'integer', minimum: 0 },
    tone: { type: ['string', 'null'], enum: ['calm', 'loud', null] },
    tags: { type: 'array', items: text },
  },
  required: ['city', 'population', 'tone'],
}
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

test.each([
  [object({ city: text }, { additionalProperties: false }), 'population is always returned there'],
  [object({ zzz: text }, { required: ['zzz'] }), 'zzz is not a field there'],
  [object({ constructor: text }, { required: ['constructor'] }), 'constructor is not a field there'],
  [{ type: 'array' }, 'the answer is object there, not array'],
  [object({ city: { type: 'number' } }), 'city is string there, not number'],
  [object({ population: { maximum: -1 } }), 'population: minimum 0 is more than maximum -1'],
  [object({ tone: { type: 'string', enum: ['shy'] } }), 'tone has no value that both list'],
  [object({ tone: { type: 'string', const: 'shy' } }), 'tone has no value that both list'],
])('%j can match no answer', (callers, why) => {
  expect(findConflict(own, callers)).toContain(why)
})

test.each([
  {},
  own,
  { type: 'object' },
  object({ city: { minLength: 2 } }),
  object({ population: { type: 'number' } }, { required: ['population'] }),
  object({ tags: { type: 'array', items: { type: 'number' } } }),
  object({ tone: { type: ['string', 'null'], enum: ['shy', null] } }),
  object({ city: true, population: true, tone: true }, { additionalProperties: false }),
  object({ city: text }, { additionalProperties: false, patternProperties: { '.': {} } }),
  { $ref: '#/$defs/a', $defs: { a: own } },
  { anyOf: [own, { type: 'array' }] },
])('%j may match one', (callers) => {
  expect(findConflict(own, callers)).toBeUndefined()
})
