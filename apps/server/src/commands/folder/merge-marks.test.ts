import { expect, test } from 'vitest'
import { hasMarks, withMarks } from './merge-marks.ts'

test('what differs stands between marks, the folder’s first; what is alike stands once', () => {
  expect(withMarks('a\nb\nc\n', 'a\nx\ny\nc\nd\n')).toBe(
    'a\n<<<<<<< folder\nb\n=======\nx\ny\n>>>>>>> server\nc\n<<<<<<< folder\n=======\nd\n>>>>>>> server\n',
  )
  expect(hasMarks(withMarks('a\n', 'b\n'))).toBe(true)
  expect(hasMarks('a\n=======\nb <<<<<<< folder\n')).toBe(false)
  const long = Array.from({ length: 2_100 }, (_, line) => `line ${line}`).join('\n')
  expect(withMarks(long, `${long}\nmore`)).toMatch(
    /^<<<<<<< folder\nline 0\n[\s\S]*\nmore\n>>>>>>> server\n$/,
  )
})
