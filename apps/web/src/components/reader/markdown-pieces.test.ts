import { expect, test } from 'vitest'
import { markdownPieces } from './markdown-pieces.ts'

const paragraph = `${'Many words. '.repeat(100)}\n\n`
const chapter = `## Chapter\n\n${paragraph.repeat(6)}`

test('a long text is cut before headings and paragraphs, and nothing of it is lost', () => {
  const text = chapter.repeat(10)
  const pieces = markdownPieces(text)
  expect(pieces.length).toBeGreaterThan(5)
  expect(pieces.join('')).toBe(text)
  expect(pieces.every((piece) => /^(##|Many)/.test(piece))).toBe(true)
})

test('while it grows, the pieces before the last stay as they are', () => {
  const text = chapter.repeat(10)
  const [before, after] = [markdownPieces(text.slice(0, 40_000)), markdownPieces(text)]
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
})

test.each([
  ['is short', chapter],
  ['explains its links at its end', `${chapter.repeat(10)}\n[1]: https://example.org`],
  ['is one block of code', `\`\`\`\n${chapter.repeat(10)}`],
  ['is one list', '- point\n\n  more of it\n\n'.repeat(2_000)],
])('a text that %s is not cut', (_what, text) => {
  expect(markdownPieces(text)).toEqual([text])
})
