import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

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

/** What is wrong with the table: a finding without a row, a row without test or reason, a file that isn't there. */
function problemsOf(markdown: string, exists: (file: string) => boolean): string[] {
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
      const files = [...shown.matchAll(/`((?:apps|bench|e2e|packages|scripts)\/[\w./-]+)`/g)]
      return files.flatMap(([, file = '']) => (exists(file) ? [] : [`no such file: ${id} ${file}`]))
    }),
  ]
}

test('every finding has a row that names its test, or says why there is none', () => {
  const table = readFileSync(join(root, 'docs/found.md'), 'utf8')
  expect(problemsOf(table, (file) => existsSync(join(root, file)))).toEqual([])
})

test('a missing row, an empty one, a second one and a file that is gone are found', () => {
  const rows = ids.map((id) => `| ${id} | what | \`scripts/found.test.ts\` | |`)
  const table = [...rows.slice(2), '| S2 | what | | |', '| S3 | again | `e2e/gone.thorough.ts` | |'].join(
    '\n',
  )
  const problems = problemsOf(table, (file) => file !== 'e2e/gone.thorough.ts')
  expect(problems).toEqual([
    'no row: S1',
    'twice: S3',
    'no test and no reason: S2',
    'no such file: S3 e2e/gone.thorough.ts',
  ])
})
