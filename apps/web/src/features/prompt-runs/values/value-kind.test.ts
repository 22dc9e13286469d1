import { expect, test } from 'vitest'
import { offAndOn, valueKindOf } from './value-input.tsx'

const field = { type: 'text' as const, allowedValues: [], stored: 'warm', value: 'warm' }

test.each([
  [{}, 'text'],
  [{ stored: 'true', value: 'false' }, 'switch'],
  [{ stored: 'Yes', value: 'No' }, 'switch'],
  [{ stored: 'true', value: 'maybe' }, 'text'],
  [{ stored: 'yEs', value: 'yEs' }, 'text'],
  [{ stored: '12', value: '' }, 'number'],
  [{ stored: '-0.5', value: '3' }, 'number'],
  [{ stored: '12', value: 'a dozen' }, 'text'],
  [{ stored: '01067', value: '01067' }, 'text'],
  [{ stored: '1e400', value: '1e400' }, 'text'],
  [{ allowedValues: ['12', '13'], stored: '12', value: '99' }, 'choice'],
  [{ type: null, stored: null, value: 'true' }, 'text'],
  [{ type: 'api' as const, stored: '12', value: '12' }, 'text'],
])('%j is asked for by an input for a %s', (change, kind) => {
  expect(valueKindOf({ ...field, ...change })).toBe(kind)
})

test('what is switched is written as it was', () => {
  expect(offAndOn('TRUE')).toEqual(['FALSE', 'TRUE'])
  expect(offAndOn('Off')).toEqual(['Off', 'On'])
  expect(offAndOn('no')).toEqual(['no', 'yes'])
})
