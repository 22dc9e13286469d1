import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  filesNamed,
  placeOf,
  placesIn,
  promiseIn,
  readPages,
  readPromises,
  readTestFiles,
  titlesIn,
  writePages,
} from './lib/behaviour.ts'
import { root } from './lib/root.mjs'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const pages = readPages(root)
const promises = readPromises(root)
const files = readTestFiles(root)
const places = pages.flatMap(({ markdown }) => placesIn({ markdown, files }))

/** What an earlier one has too. */
const repeatsOf = (texts: readonly string[]): string[] =>
  texts.filter((text, index) => texts.indexOf(text) < index)

test('the pages have the promises of the tests; `npm run guide` writes them', () => {
  expect(promises.length).toBeGreaterThan(1000)
  expect(pages).toEqual(writePages({ pages, promises }))
})

test('every promise has its page, and every place of a page its promises', () => {
  expect(promises.filter(({ file }) => placeOf(file, places) === undefined)).toEqual([])
  const found = promises.map(({ file }) => placeOf(file, places))
  expect(places.filter((place) => !found.includes(place))).toEqual([])
  expect(repeatsOf(places)).toEqual([])
})

test('no promise stands twice', () => {
  expect(repeatsOf(promises.map(({ text }) => text))).toEqual([])
})

test('the first page names every other one', () => {
  const named = [...read('docs/behaviour/README.md').matchAll(/^\| \[[\w ]+\]\(([\w-]+\.md)\)/gm)]
  expect(named.map(([, page]) => `docs/behaviour/${page}`).toSorted()).toEqual(pages.map(({ file }) => file))
})

test('a title is a promise where it is a sentence, whatever the case in brackets', () => {
  const text = `
    describe.each(kinds)('prompts on %s', () => {
      test('A prompt is kept (D1).', () => {})
      test.each([1])('80 %% of it is kept. (%i)', () => {})
      it('keeps the rest', () => {})
      test(\`It says ‘Saved.’\`, () => {})
      expect('No title.')
    })`
  const titles = titlesIn({ file: 'a.test.ts', text })
  expect(titles).toHaveLength(5)
  expect(titles.flatMap((title) => promiseIn(title) ?? [])).toEqual([
    'A prompt is kept (D1).',
    '80 % of it is kept.',
    'It says ‘Saved.’',
  ])
})

test('a promise stands at the place that names most of its file’s path', () => {
  const written = writePages({
    pages: [
      { file: 'a.md', markdown: '# A\n\nIn `web/a/`:\n\n- Old.\n\n## B\n\nIn `web/a/b/`, `c.test.ts`:\n\n' },
      { file: 'b.md', markdown: '| a | table |\n' },
    ],
    promises: [
      { file: 'e2e/c.test.ts', text: 'C.' },
      { file: 'apps/web/src/a/b/b.test.ts', text: 'B.' },
      { file: 'apps/web/src/a/a.test.ts', text: 'A.' },
    ],
  })
  expect(written.map(({ markdown }) => markdown)).toEqual([
    '# A\n\nIn `web/a/`:\n\n- A.\n\n## B\n\nIn `web/a/b/`, `c.test.ts`:\n\n- B.\n- C.\n',
    '| a | table |\n',
  ])
})

/** What is wrong with the rows of the tables: no test, or a name that is not one test file’s. */
function problemsOf(rows: readonly string[], tests: readonly string[]): string[] {
  return rows.flatMap((row) => {
    const names = [...row.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => name)
    if (names.length === 0) return [`no test: ${row}`]
    return names
      .map((name) => ({ name, count: filesNamed({ name, files: tests }).length }))
      .filter(({ count }) => count !== 1)
      .map(({ name, count }) => `${count} tests: ${name}`)
  })
}

function rowsOf(markdown: string): string[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|( \|)? (Promise|Reader|---) /.test(line))
}

test('every row of trust.md names test files that exist', () => {
  const rows = rowsOf(read('docs/trust.md'))
  expect(rows.length).toBeGreaterThan(30)
  expect(problemsOf(rows, files)).toEqual([])
})

test('a row without a test, or with a name that no test file has, or that two have, is found', () => {
  const table = [
    '| A | `a.test.ts` |',
    '| B | `a.test.ts`<br>`b.test.tsx` |',
    '| C | |',
    '| D | `twice.test.ts` |',
    '| D | `one/twice.test.ts` |',
    '| A | `helper.ts` |',
  ]
  const rows = rowsOf(`| Promise | Shown by |\n| --- | --- |\n${table.join('\n')}`)
  expect(problemsOf(rows, ['in/a.test.ts', 'one/twice.test.ts', 'two/twice.test.ts'])).toEqual([
    '0 tests: b.test.tsx',
    'no test: | C | |',
    '2 tests: twice.test.ts',
    '0 tests: helper.ts',
  ])
})
