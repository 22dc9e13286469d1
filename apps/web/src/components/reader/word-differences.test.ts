import { expect, test } from 'vitest'
import { wordDifferences } from './word-differences.ts'

const differing = (other: string, text: string) =>
  wordDifferences({ text, other }).map(({ from, to }) => text.slice(from, to))

test('Words that differ from the first answer are tinted, without holding up the page, in the history too.', () => {
  expect(differing('Your prompts leave today', 'Your prompts leave the wiki today')).toEqual(['the wiki'])
  const before = 'First line\nA chain costs one row\nLast'
  expect(differing(before, 'First line\nA chain takes one row\nLast\nAnd more')).toEqual([
    'takes',
    'And more',
  ])
  expect(differing('The same', 'The same')).toEqual([])
})
