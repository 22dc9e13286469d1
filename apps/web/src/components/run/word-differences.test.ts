import { expect, test } from 'vitest'
import { wordDifferences } from './word-differences.ts'

const differing = async (other: string, text: string) =>
  (await wordDifferences({ text, other })).map(({ from, to }) => text.slice(from, to))

test('words that the other text has not are named, where they stand', async () => {
  expect(await differing('Your prompts leave today', 'Your prompts leave the wiki today')).toEqual([
    'the wiki',
  ])
  const before = 'First line\nA chain costs one row\nLast'
  expect(await differing(before, 'First line\nA chain takes one row\nLast\nAnd more')).toEqual([
    'takes',
    'And more',
  ])
  expect(await differing('The same', 'The same')).toEqual([])
})

test('a long answer is gone through in turns, and given up when it is no longer wanted', async () => {
  const lines = (word: string) =>
    Array.from({ length: 4_000 }, (_, index) =>
      index % 10 === 0 ? `${index} is a ${word} of the long answer. `.repeat(10) : `${index}`,
    ).join('\n')
  const abort = new AbortController()
  const found = wordDifferences({ text: lines('word'), other: lines('line'), signal: abort.signal })
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  })
  const spans = await found
  clearInterval(timer)
  expect(spans.length).toBeGreaterThan(0)
  expect(turns).toBeGreaterThan(0)
  const unwanted = wordDifferences({ text: lines('word'), other: lines('line'), signal: abort.signal })
  abort.abort()
  expect(await unwanted).toEqual([])
})
