import { expect, test } from 'vitest'
import { maskStatement } from './watch-work.ts'

test.each([
  ['select  a\n from b where c = $1', 'select a from b where c = $1'],
  ["update prompts set content = 'SECRET' where id = 5", 'update prompts set content = ‘…’ where id = 5'],
  ["insert into t values ('it''s SECRET', 'SECRET", 'insert into t values (‘…’‘…’, ‘…’'],
  ['select $$SECRET$$', 'select …'],
  ['select $tag$SECRET$tag$', 'select …'],
  ["select E'\\'SECRET'", 'select …'],
  ['', ''],
])('of %j only %j is shown', (text, shown) => {
  expect(maskStatement(text)).toBe(shown)
})

test('a long statement is cut', () => {
  expect(maskStatement(`select ${'a, '.repeat(5_000)}`)).toHaveLength(301)
})
