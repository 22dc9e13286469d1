import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesNamed, readTestFiles } from './lib/behaviour.ts'

const root = join(import.meta.dirname, '..')

/** The ids of each subject: how many there are, or those of it that a test has to show. */
const IDS: Readonly<Record<string, number | readonly number[]>> = {
  S: 21,
  A: 24,
  C: 37,
  O: 27,
  Q: 26,
  U: [1, 2, 18, 31, 32, 33, 34],
}
const ids = Object.entries(IDS).flatMap(([subject, numbers]) =>
  (typeof numbers === 'number' ? Array.from({ length: numbers }, (_, index) => index + 1) : numbers).map(
    (number) => `${subject}${number}`,
  ),
)

/** What is wrong with the table: a finding without a row, no test and no reason, a name that is not one test’s. */
function problemsOf(markdown: string, tests: readonly string[]): string[] {
  const rows = markdown
    .split('\n')
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter(([, id = '']) => /^[A-Z]\d+$/.test(id))
  const listed = rows.map(([, id]) => id)
  return [
    ...ids.filter((id) => !listed.includes(id)).map((id) => `no row: ${id}`),
    ...listed.filter((id, index) => listed.indexOf(id) < index).map((id) => `twice: ${id}`),
    ...rows.flatMap(([, id, , shown = '']) => {
      if (shown === '') return [`no test and no reason: ${id}`]
      return [...shown.matchAll(/`([\w./-]+\.tsx?)`/g)]
        .map(([, name = '']) => ({ name, count: filesNamed({ name, files: tests }).length }))
        .filter(({ count }) => count !== 1)
        .map(({ name, count }) => `${count} tests: ${id} ${name}`)
    }),
  ]
}

test('every finding has a row that names its test, or says why there is none', () => {
  const table = readFileSync(join(root, 'docs/found.md'), 'utf8')
  expect(problemsOf(table, readTestFiles(root))).toEqual([])
})

test('a missing row, an empty one, a second one and a file that is gone are found', () => {
  const rows = ids.map((id) => `| ${id} | what | \`found.test.ts\` | |`)
  const table = [...rows.slice(2), '| S2 | what | | |', '| S3 | again | `gone.thorough.ts` | |'].join('\n')
  const problems = problemsOf(table, ['scripts/found.test.ts'])
  expect(problems).toEqual([
    'no row: S1',
    'twice: S3',
    'no test and no reason: S2',
    '0 tests: S3 gone.thorough.ts',
  ])
})
