import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const DEFERRED = '## Comes with the variables issue'

interface Row {
  promise: string
  tests: { file: string; name: string }[]
}

/** The rows of every table before the deferred section; an empty or malformed cell gives no tests. */
function rowsOf(markdown: string): Row[] {
  const tables = markdown.split(DEFERRED)[0] ?? ''
  return tables
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|( \|)? (Promise|---) /.test(line))
    .map((line) => {
      const [, ...cells] = line.split(/ ?(?<!\\)\| ?/)
      const [promise = '', shown = ''] = /^\d+$/.test(cells[0] ?? '') ? cells.slice(1) : cells
      const tests = [...shown.matchAll(/`([^`]+?) › ([^`]+)`/g)].map(([, file = '', name = '']) => ({
        file,
        name,
      }))
      return { promise, tests }
    })
}

/** What is wrong with the rows, given the titles of each test file. */
function problemsOf(
  rows: readonly Row[],
  titlesOf: (file: string) => ReadonlySet<string> | undefined,
): string[] {
  return rows.flatMap(({ promise, tests }) => {
    if (tests.length === 0) return [`no test: ${promise}`]
    return tests.flatMap(({ file, name }) => {
      const titles = titlesOf(file)
      if (titles === undefined) return [`no such file: ${file}`]
      return titles.has(name) ? [] : [`no such test: ${file} › ${name}`]
    })
  })
}

/** The titles of a test file as they are written, placeholders of `each` included. */
function titlesIn(source: string): Set<string> {
  const titles = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ['test', 'it'].includes(rootOf(node.expression))) {
      const [title] = node.arguments
      if (title && ts.isStringLiteralLike(title)) titles.add(title.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('source.tsx', source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX))
  return titles
}

/** `test` of `test(…)`, `test.each(…)(…)`, `test.skipIf(…)(…)`. */
function rootOf(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression)) {
    return rootOf(expression.expression)
  }
  return ''
}

/** Reads each test file once, however many rows name it. */
function createTitles(): (file: string) => Set<string> | undefined {
  const known = new Map<string, Set<string>>()
  return (file) => {
    const path = join(root, file)
    if (!known.has(file) && existsSync(path)) known.set(file, titlesIn(readFileSync(path, 'utf8')))
    return known.get(file)
  }
}

test('every promise of the specification names tests that exist', () => {
  const rows = rowsOf(readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8'))
  expect(rows.length).toBeGreaterThan(100)
  expect(problemsOf(rows, createTitles())).toEqual([])
})

test('every promise of trust names tests that exist', () => {
  const rows = rowsOf(readFileSync(join(root, 'docs/trust.md'), 'utf8'))
  expect(rows.length).toBeGreaterThan(20)
  expect(problemsOf(rows, createTitles())).toEqual([])
})

test('every detail of the interface names tests that exist', () => {
  const rows = rowsOf(readFileSync(join(root, 'docs/details.md'), 'utf8'))
  expect(rows.length).toBeGreaterThan(20)
  expect(problemsOf(rows, createTitles())).toEqual([])
})

test('a row without a test, with a test that is gone, or with a file that is gone is found', () => {
  const titles = titlesIn(
    "test('one', () => {}); test.each([1])('many: %s', () => {}); describe('no test', () => {})",
  )
  const table = [
    '| A | `a.test.ts › one` |',
    '| B | `a.test.ts › many: %s`<br>`a.test.ts › two` |',
    '| C | |',
    '| D | `b.test.ts › one` |',
    '| E | `a.test.ts › no test` |',
  ]
  const rows = rowsOf(`| Promise | Shown by |\n| --- | --- |\n${table.join('\n')}\n${DEFERRED}\n| F | |`)
  expect(problemsOf(rows, (file) => (file === 'a.test.ts' ? titles : undefined))).toEqual([
    'no such test: a.test.ts › two',
    'no test: C',
    'no such file: b.test.ts',
    'no such test: a.test.ts › no test',
  ])
})
