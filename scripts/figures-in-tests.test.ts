import { expect, test } from 'vitest'
import { figuresImported, findFiguresInTests } from './lib/figures.ts'
import { root } from './lib/root.mjs'

test('no test takes a figure or a text that it expects from the code: a wrong one would be expected too', () => {
  expect(findFiguresInTests(root)).toEqual([])
}, 60_000)

const source = (text: string) => [{ file: 'packages/contracts/src/bounds.ts', text }]
const using = (name: string, from = './bounds.ts') => [
  { file: 'bounds.test.ts', text: `import { other, ${name} } from '${from}'` },
]

test.each([
  'export const LIMIT = 500',
  'export const LIMIT: number = 15 * (60 - 1) * SECOND_MS',
  "export const LIMIT = 'x-total-count'",
  'export const LIMIT = { first: 20_000, silence: -1 } as const',
  "export const LIMIT = { none: 'No tokens yet.', hidden: 'hidden' } satisfies Texts",
])('a test that imports it is found: %s', (text) => {
  expect(figuresImported({ sources: source(text), tests: using('LIMIT') })).toEqual(['bounds.test.ts: LIMIT'])
  expect(figuresImported({ sources: source(text), tests: using('LIMIT as MAX') })).toEqual([
    'bounds.test.ts: LIMIT',
  ])
  expect(figuresImported({ sources: source(text), tests: using('LIMIT', '../testing/samples.ts') })).toEqual(
    [],
  )
})

test.each([
  "export const KINDS = ['prompt', 'chain']",
  "export const KINDS = { prompt: '/api/tags', chain: '/api/chain-tags' }",
  'export const KINDS = new Set([1])',
  'export const KINDS = [OTHER, 2].length',
  'const KINDS = 3',
])('a list, a table of paths and what is not exported are none: %s', (text) => {
  expect(figuresImported({ sources: source(text), tests: using('KINDS') })).toEqual([])
})
