import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const decisions = readFileSync(join(root, 'docs/decisions.md'), 'utf8')
const decided = new Set([...decisions.matchAll(/^\| \*\*(D\d+)\*\* \|/gm)].map(([, number]) => number))
/** Texts that name decisions; locks and pictures hold hashes. */
const TEXTS = ['*.md', '{apps,bench,docs,e2e,packages,scripts}/**/*.{ts,tsx,mjs,md,css,sql}']
const NOT_OURS = ['**/node_modules', '**/dist', 'scripts/decisions.test.ts']

/** Each number of a decision that a file names and nothing explains, with its place. */
function unresolved(file: string, text: string, known: ReadonlySet<string | undefined>): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/\bD\d{1,3}\b/g)]
        .filter(([number]) => !known.has(number))
        .map(([number]) => `${file}:${index + 1}: ${number}`),
    )
}

test('every number of a decision that the repository names is explained', () => {
  const files = globSync(TEXTS, { cwd: root, exclude: NOT_OURS })
  expect(files.length).toBeGreaterThan(1000)
  expect(files.flatMap((file) => unresolved(file, readFileSync(join(root, file), 'utf8'), decided))).toEqual(
    [],
  )
})

test('a number that nothing explains is found with its place', () => {
  expect(unresolved('a.ts', 'one\n/** As D1 and D99 say. */', new Set(['D1']))).toEqual(['a.ts:2: D99'])
})

test('each decision stands once, and its ADR exists', () => {
  const numbers = [...decisions.matchAll(/^\| \*\*(D\d+)\*\* \|/gm)].map(([, number]) => number)
  expect(numbers).toEqual([...new Set(numbers)])
  const links = [...decisions.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !existsSync(join(root, 'docs', link)))).toEqual([])
})
