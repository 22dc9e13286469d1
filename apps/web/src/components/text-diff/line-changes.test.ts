import { expect, test } from 'vitest'
import { changedLines, lineChanges } from './line-changes.ts'

test.each([
  { before: 'one\ntwo', after: 'one\ntwo\nthree', added: [2], removed: 0 },
  { before: 'one\r\ntwo', after: 'one\ntwo', added: [], removed: 0 },
  { before: 'one\ntwo\nthree', after: 'one\n2\nthree', added: [1], removed: 1 },
  { before: 'one\ntwo', after: 'two', added: [], removed: 1 },
  { before: 'same', after: 'same', added: [], removed: 0 },
])('the lines of $after that $before has not', ({ before, after, ...changed }) => {
  expect(changedLines({ before, after })).toEqual(changed)
})

test('with too many different lines to compare, all count as changed', () => {
  const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index}`)
  const ends = { fromA: 0, toA: 60_000, fromB: 0, toB: 60_001 }
  expect(lineChanges(lines, [...lines, 'end'])).toEqual([ends])
})
