import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** The names of files that `npm test`, `test:durability` or `test:thorough` runs. */
const isTest = (file: string): boolean =>
  /\.test\.tsx?$/.test(file) || /^e2e\/[\w-]+\.(journey|durability|thorough)\.ts$/.test(file)

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

test.each([
  ['the specification', 'docs/spec-coverage.md', 400],
  ['trust', 'docs/trust.md', 30],
  ['the interface', 'docs/details.md', 150],
])('every promise of %s names test files that exist', (_of, file, atLeast) => {
  const rows = rowsOf(readFileSync(join(root, file), 'utf8'))
  expect(rows.length).toBeGreaterThan(atLeast)
  expect(problemsOf(rows, (name) => existsSync(join(root, name)))).toEqual([])
})

test('a row without a test, with a file that is gone, or with one that nothing runs is found', () => {
  const table = [
    '| A | `a.test.ts` |',
    '| B | `a.test.ts`<br>`b.test.tsx` |',
    '| C | |',
    '| D | `e2e/a.journey.ts` |',
    '| E | `lib/helper.ts` |',
  ]
  const rows = rowsOf(`| Promise | Shown by |\n| --- | --- |\n${table.join('\n')}`)
  expect(problemsOf(rows, (file) => file === 'a.test.ts')).toEqual([
    'no such file: b.test.tsx',
    'no test: | C | |',
    'no such file: e2e/a.journey.ts',
    'not a test: lib/helper.ts',
  ])
})
