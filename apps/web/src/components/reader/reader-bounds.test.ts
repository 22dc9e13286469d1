import { expect, test } from 'vitest'
import { detectContent } from '../content-viewer/content-viewer-detect.ts'
import { lineChanges } from '../text-diff/line-changes.ts'
import { colourCode } from './colour-code.ts'
import { readMarkdown } from './read-markdown.ts'
import { readMarkup } from './read-markup.ts'
import { TooMuchError } from './reader-bounds.ts'

const LONG_WORD = 'a'.repeat(1_001)

test.each([
  ['a table of many cells', `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${'|a\n'.repeat(400)}`],
  ['quotes within quotes', `${'>'.repeat(150)} deep`],
  ['a word without an end', LONG_WORD],
  ['more characters than are read', 'a word\n'.repeat(80_000)],
])('Markdown of %s is not laid out', (_what, text) => {
  expect(() => readMarkdown({ text, isWriting: false })).toThrow(TooMuchError)
})

test('code is laid out, however long its lines are', () => {
  const text = `\`${LONG_WORD}\`\n\n\`\`\`\n${LONG_WORD}\n\`\`\``
  expect(readMarkdown({ text, isWriting: false })).toHaveLength(1)
})

test('pieces count together', () => {
  const piece = '*a* '.repeat(4_000)
  expect(readMarkdown({ text: piece, isWriting: false })).toHaveLength(1)
  const text = [piece, `b ${piece}`, `c ${piece}`].join('\n\n')
  expect(() => readMarkdown({ text, isWriting: false })).toThrow(TooMuchError)
})

test.each([
  ['blocks within blocks', '<div>'.repeat(101)],
  ['emphasis that is opened again in each block', `<div>${'<b>'.repeat(11)}</div><div>x</div>`],
  ['more tags than a page holds', '<span>a</span>'.repeat(20_001)],
  ['a word without an end', `<div>${LONG_WORD}</div>`],
])('HTML of %s is not laid out', (_what, source) => {
  expect(() => readMarkup({ source, isPage: false })).toThrow(TooMuchError)
})

test('every tag is closed where the one around it is, and none that is not open', () => {
  const html = (source: string) => readMarkup({ source, isPage: false }).html.replace(/ data-tag="\d+"/g, '')
  expect(html('</b><ul><li>1<li>2</ul><div><b><i>x</div>y')).toBe(
    '<ul><li>1</li><li>2</li></ul><div><b><i>x</i></b></div>y',
  )
  expect(html('<table><tr><td>1<td>2<tr><td>3</table>')).toBe(
    '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>',
  )
})

test('a name of a tag that never ends is looked at once', () => {
  const source = `<p>a</p><${'a'.repeat(300_000)}</p>`
  expect(() => readMarkup({ source, isPage: false })).toThrow(TooMuchError)
})

test('long code has no colours', () => {
  expect(() => colourCode({ code: 'a '.repeat(50_001), language: 'json' })).toThrow(TooMuchError)
})

test('lines that alternate are compared as a whole, as their comparison would take minutes', () => {
  const before = Array.from({ length: 100_000 }, (_, at) => (at % 2 === 0 ? 'a' : 'b'))
  const after = [...before.toReversed(), 'c']
  expect(lineChanges(before, after)).toEqual([{ fromA: 0, toA: 100_000, fromB: 0, toB: 100_001 }])
})

test('JSON so deep that its lines would begin far in stays as it is written', () => {
  const text = `${'['.repeat(4_000)}1${']'.repeat(4_000)}`
  expect(detectContent({ text })).toEqual({ kind: 'code', text, language: 'json' })
})
