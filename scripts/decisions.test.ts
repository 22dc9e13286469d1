import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decisionNumbers, unresolvedDecisions, unresolvedIn } from './lib/decisions.ts'

const root = join(import.meta.dirname, '..')
const decisions = readFileSync(join(root, 'docs/decisions.md'), 'utf8')

test('every number of a decision that the repository names is explained', () => {
  const { files, found } = unresolvedDecisions()
  expect(files).toBeGreaterThan(1000)
  expect(found).toEqual([])
})

test('a number that nothing explains is found with its place', () => {
  const text = 'one\n/** As D1 and D99 say. */'
  expect(unresolvedIn({ file: 'a.ts', text, known: new Set(['D1']) })).toEqual(['a.ts:2: D99'])
})

test('each decision stands once, and its ADR exists', () => {
  const numbers = decisionNumbers(decisions)
  expect(numbers).toEqual([...new Set(numbers)])
  const links = [...decisions.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !existsSync(join(root, 'docs', link)))).toEqual([])
})
