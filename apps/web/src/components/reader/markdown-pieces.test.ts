import fc from 'fast-check'
import type { Root } from 'hast'
import { expect, test } from 'vitest'
import { readMarkdown } from './read-markdown.ts'
import { htmlOf } from './testing/html-of.ts'

const WHOLE = 1_000_000
/** The same texts in each run: a new one that fails is found where one looks for it, not in somebody else's change. */
const SEED = 20_261_127
const paragraph = `${'Many words. '.repeat(100)}\n\n`
const chapter = `## Chapter\n\n${paragraph.repeat(6)}`

const read = (text: string, pieceMin?: number) =>
  readMarkdown({ text, isWriting: false, ...(pieceMin && { pieceMin }) })
const piecesOf = (text: string) => read(text).map(({ key }) => key.slice(key.indexOf('\n') + 1))
const shown = (trees: readonly { root: Root }[]) => trees.map(({ root }) => htmlOf(root)).join('')

test('a long text is cut before headings and paragraphs, and nothing of it is lost', () => {
  const text = chapter.repeat(10)
  const pieces = piecesOf(text)
  expect(pieces.length).toBeGreaterThan(5)
  expect(pieces.join('')).toBe(text)
  expect(pieces.every((piece) => /^(##|Many)/.test(piece))).toBe(true)
})

test('while it grows, the pieces before the last stay as they are', () => {
  const text = chapter.repeat(10)
  const [before, after] = [piecesOf(text.slice(0, 40_000)), piecesOf(text)]
  expect(before.length).toBeGreaterThan(3)
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
})

test.each([
  ['is short', chapter],
  ['explains its links at its end', `${chapter.repeat(10)}\n[1]: https://example.org`],
  ['explains one in a quote in a list', `${chapter.repeat(10)}\n- > [1]: https://example.org`],
  ['explains one with a line in its name', `${chapter.repeat(10)}\n[one\ntwo]: https://example.org`],
  ['is one block of code', `\`\`\`\n${chapter.repeat(10)}`],
  ['is one block of code in a list', `- \`\`\`\n${`  ${chapter}`.replaceAll('\n', '\n  ').repeat(10)}`],
  ['is one list', '- point\n\n  more of it\n\n'.repeat(2_000)],
])('a text that %s is not cut', (_what, text) => {
  expect(piecesOf(text)).toEqual([text])
})

test('a line of a block of code that begins like a fence with a word ends nothing', () => {
  const code = `const a = 1\n\n${'call()\n\n'.repeat(1_000)}`
  const text = `Before.\n\n\`\`\`js\n${code}\`\`\`js is a line\n\n${code}\`\`\`\n\n${'Words.\n\n'.repeat(900)}The last paragraph.`
  const trees = read(text)
  expect(trees.length).toBeGreaterThan(1)
  expect(shown(trees)).toBe(shown(read(text, WHOLE)))
  expect(shown(trees)).toContain('<p dir="auto">The last paragraph.</p>')
})

const word = fc.constantFrom(
  'word',
  '**bold**',
  '`code`',
  '~~gone~~',
  '[link](https://a.b)',
  '<b>',
  'a~b',
  'text:',
  '。',
  '[1]',
)
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const lead = fc.constantFrom(
  '',
  '',
  '',
  ' ',
  '   ',
  '    ',
  '  ',
  '- ',
  '* ',
  '1. ',
  '10) ',
  '> ',
  '> - ',
  '- > ',
  '- - ',
  '\t',
  '>',
)
const start = fc.constantFrom(
  ...[
    '```',
    '```js',
    '~~~',
    '~~~~ md',
    '````',
    '``` js is a line',
    '```markdown',
    '---',
    '===',
    '***',
    '# ',
    '### ',
  ],
  ...[
    '<div>',
    '</div>',
    '<pre>',
    '</pre>',
    '<!-- note',
    '-->',
    '<script>',
    '</script>',
    '<answer>',
    '<br>',
    '<?php',
    '?>',
  ],
  ...['| a | b |', '|---|---|', '| 1 | 2<br>3 |', '$$', '[^1]', '- [ ] ', '+'],
)
const definition = fc.constantFrom(
  '[1]: https://example.org',
  '[^1]: A note',
  '> [1]: /quoted',
  '- [^1]: listed',
)
const line = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(lead, words).map((parts) => parts.join('')) },
  { weight: 4, arbitrary: fc.tuple(lead, start).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.tuple(lead, start, words).map((parts) => parts.join('')) },
  { weight: 6, arbitrary: fc.constant('') },
)
const markdown = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 40 }),
    fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: definition }),
    fc.constantFrom('\n', '\n', '\n', '\r\n'),
  )
  .map(([lines, defined, end]) => (defined === null ? lines : [...lines, '', defined]).join(end))

test('A long answer is laid out in pieces that mean what they mean in the whole, also while it is written.', () => {
  let cut = 0
  fc.assert(
    fc.property(markdown, (text) => {
      const pieces = read(text, 1)
      if (pieces.length > 1) cut += 1
      expect(shown(pieces)).toBe(shown(read(text, WHOLE)))
    }),
    { numRuns: 1_500, seed: SEED },
  )
  expect(cut).toBeGreaterThan(300)
})

test('a piece means alone what it means in its text', () => {
  const withoutLevels = (html: string) => html.replaceAll(/ aria-level="\d"/g, '')
  fc.assert(
    fc.property(markdown, (text) => {
      const pieces = read(text, 1)
      const html = pieces.map(({ root }) => withoutLevels(htmlOf(root)))
      const alone = pieces.map(({ key }) => read(key.slice(key.indexOf('\n') + 1), WHOLE))
      expect(alone.map((trees) => withoutLevels(shown(trees)))).toEqual(html)
    }),
    { numRuns: 500, seed: SEED },
  )
})

test('so it does while the text is written', () => {
  fc.assert(
    fc.property(markdown, fc.integer({ min: 1, max: 9 }), (text, step) => {
      for (let end = step; end < text.length; end += 7 * step) {
        const begun = text.slice(0, end)
        expect(shown(read(begun, 1))).toBe(shown(read(begun, WHOLE)))
      }
    }),
    { numRuns: 150, seed: SEED },
  )
})
