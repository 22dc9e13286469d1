import { expect, test } from 'vitest'
import { firstPlainLine, plainExcerpt, withoutMarks } from './plain-markdown.ts'

test.each([
  ['## Dear **Ada**', 'Dear Ada'],
  ['> - [x] *Ask* [the board](https://example.org/a?b=c), ~~twice~~', 'Ask the board, twice'],
  ['![A chart](chart.png) of ***all*** of it', 'A chart of all of it'],
  [
    'Set _customer_name_ and __first__ to `order_id`, **now**.',
    'Set customer_name and first to order_id, now.',
  ],
  [
    '2 * 3 * 4 and 2**3 stay, `**kwargs` and \\*stars\\* too',
    '2 * 3 * 4 and 2**3 stay, **kwargs and *stars* too',
  ],
  ['**Half a thought that is', 'Half a thought that is'],
  ['3. Third', '3. Third'],
  ['| Day | Boat |', 'Day | Boat'],
])('%s', (line, words) => {
  expect(withoutMarks(line).trim()).toBe(words)
})

test('Excerpts of answers have no marks.', () => {
  const text =
    '# Report\n\n---\n\n| Day | Boat |\n| --- | ---: |\n\n```ts\nconst a = b ** 2 // **bold**\n```\n\n* done'
  expect(plainExcerpt({ text, max: 200 })).toBe('Report Day | Boat const a = b ** 2 // **bold** done')
  expect(plainExcerpt({ text: `**${'word '.repeat(50)}**`, max: 20 })).toBe('word word word word …')
  expect(firstPlainLine('\n***\n> ## Dear *Ada*\nBye')).toBe('Dear Ada')
})

test('a hostile text costs no more than its length', () => {
  const marks = ['[', '[a](', '*a', '_', '**', '|', '> ', '`', '\\*', '![', ' *']
  const hostile = [...marks.map((mark) => mark.repeat(100_000)), `a${'_'.repeat(200_000)}b`]
  const begun = performance.now()
  for (const text of hostile) withoutMarks(text)
  expect(performance.now() - begun).toBeLessThan(500)
})
