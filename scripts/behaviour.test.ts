import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  placeOf,
  placesIn,
  promiseIn,
  readPages,
  readPromises,
  titlesIn,
  writePages,
} from './lib/behaviour.ts'
import { root } from './lib/root.mjs'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const pages = readPages(root)
const promises = readPromises(root)
const places = pages.flatMap(({ markdown }) => placesIn(markdown))

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
      { file: 'a.md', markdown: '# A\n\nIn `a/`:\n\n- Old.\n\n## B\n\nIn `a/b/`, `c.test.ts`:\n\n' },
      { file: 'b.md', markdown: '| a | table |\n' },
    ],
    promises: [
      { file: 'c.test.ts', text: 'C.' },
      { file: 'a/b/b.test.ts', text: 'B.' },
      { file: 'a/a.test.ts', text: 'A.' },
    ],
  })
  expect(written.map(({ markdown }) => markdown)).toEqual([
    '# A\n\nIn `a/`:\n\n- A.\n\n## B\n\nIn `a/b/`, `c.test.ts`:\n\n- B.\n- C.\n',
    '| a | table |\n',
  ])
})

/** The names of files that `npm test`, `test:durability`, `test:scale` or `test:thorough` runs. */
const isTest = (file: string): boolean =>
  /\.test\.tsx?$/.test(file) || /^e2e\/[\w-]+\.(journey|durability|scale|thorough)\.ts$/.test(file)

/** What is wrong with the rows of the tables: a promise without a test, or with one that nothing runs. */
function problemsOf(rows: readonly string[], exists: (file: string) => boolean): string[] {
  return rows.flatMap((row) => {
    const files = [...row.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, file = '']) => file)
    if (files.length === 0) return [`no test: ${row}`]
    return files.flatMap((file) => {
      if (!isTest(file)) return [`not a test: ${file}`]
      return exists(file) ? [] : [`no such file: ${file}`]
    })
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
  expect(problemsOf(rows, (name) => existsSync(join(root, name)))).toEqual([])
})

test('a row without a test, with a file that is gone, or with one that nothing runs is found', () => {
  const table = [
    '| A | `a.test.ts` |',
    '| B | `a.test.ts`<br>`b.test.tsx` |',
    '| C | |',
    '| D | `e2e/a.journey.ts` |',
    '| A | `lib/helper.ts` |',
  ]
  const rows = rowsOf(`| Promise | Shown by |\n| --- | --- |\n${table.join('\n')}`)
  expect(problemsOf(rows, (file) => file === 'a.test.ts')).toEqual([
    'no such file: b.test.tsx',
    'no test: | C | |',
    'no such file: e2e/a.journey.ts',
    'not a test: lib/helper.ts',
  ])
})
