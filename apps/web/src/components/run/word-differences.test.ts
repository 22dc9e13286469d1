import { afterEach, expect, test, vi } from 'vitest'
import { wordDifferences } from './word-differences.ts'

afterEach(() => vi.restoreAllMocks())

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
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1_000
    return now
  })
  const lines = (word: string) =>
    Array.from({ length: 100 }, (_, index) => (index % 10 === 0 ? `${index} ${word}` : `${index}`)).join('\n')
  const abort = new AbortController()
  const found = wordDifferences({ text: lines('word'), other: lines('line'), signal: abort.signal })
  let isThrough = false
  void found.then(() => {
    isThrough = true
  })
  await new Promise((resolve) => setTimeout(resolve))
  expect(isThrough).toBe(false)
  expect(await found).toHaveLength(10)
  const unwanted = wordDifferences({ text: lines('word'), other: lines('line'), signal: abort.signal })
  abort.abort()
  expect(await unwanted).toEqual([])
})
