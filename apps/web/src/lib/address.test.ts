import { expect, test } from 'vitest'
import { idIn, idsIn, withChange } from './address.ts'

test('a change of the address touches what it names alone', () => {
  const params = new URLSearchParams('a=1&b=2&tag=x&tag=y&keep=1')
  const change = { a: '', b: 3, c: null, tag: ['y', 'z'], keep: undefined }
  expect(String(withChange(params, change))).toBe('b=3&tag=y&keep=1&tag=z')
  expect(String(withChange(params, { tag: [] }))).toBe('a=1&b=2&keep=1')
})

test('an address holds ids or nothing', () => {
  expect(['12', '0', '-1', '1.5', 'x', '', null].map(idIn)).toEqual([12, null, null, null, null, null, null])
  expect(idsIn('12,x,,15')).toEqual([12, 15])
  expect(idsIn(null)).toEqual([])
})
