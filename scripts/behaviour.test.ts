import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const folder = 'docs/behaviour'
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const pages = readdirSync(join(root, folder)).filter((file) => file !== 'README.md')

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

/** Rows whose promise an earlier row has in the same words. */
function repeatsOf(rows: readonly string[]): string[] {
  const promises = rows.map((row) => row.split(' | ')[0] ?? '')
  return promises.filter((promise, index) => promises.indexOf(promise) < index)
}

test.each([
  ...pages.map((page) => ({ file: join(folder, page), atLeast: 10 })),
  { file: 'docs/trust.md', atLeast: 30 },
])('every promise of $file names test files that exist', ({ file, atLeast }) => {
  const rows = rowsOf(read(file))
  expect(rows.length).toBeGreaterThan(atLeast)
  expect(problemsOf(rows, (name) => existsSync(join(root, name)))).toEqual([])
})

test('no promise stands twice', () => {
  expect(repeatsOf(pages.flatMap((page) => rowsOf(read(join(folder, page)))))).toEqual([])
})

test('the first page names every other one', () => {
  const named = [...read(join(folder, 'README.md')).matchAll(/^\| \[[\w ]+\]\(([\w-]+\.md)\)/gm)]
  expect(named.map(([, page]) => page).toSorted()).toEqual(pages.toSorted())
})

test('a row without a test, with a file that is gone, with one that nothing runs, or a second time is found', () => {
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
  expect(repeatsOf(rows)).toEqual(['| A'])
})
