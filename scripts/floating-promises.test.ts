import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, expect, test } from 'vitest'
import { findFloatingPromises } from './lib/floating-promises.mjs'
import { makeToyTree } from './testing/toy-tree.ts'

const source = [
  "import { builder, query, write } from 'library'",
  'declare const maybe: boolean',
  'write()',
  'query',
  'maybe && write()',
  'write().then(() => 1)',
  'write().finally(() => 1)',
  'await write()',
  'void write()',
  'write().catch(() => 1)',
  'write().then(() => 1, () => 2)',
  'let kept = write()',
  'kept = write()',
  'builder',
  'export { kept }',
].join('\n')

const tree = makeToyTree({
  'node_modules/library/package.json': JSON.stringify({ name: 'library', types: 'index.d.ts' }),
  'node_modules/library/index.d.ts': [
    'export function write(): Promise<number>',
    'declare class Query implements Promise<number> {}',
    'interface Query extends Promise<number> {}',
    'export const query: Query',
    'export const builder: PromiseLike<number>',
  ].join('\n'),
  'source.ts': source,
})
afterAll(tree.remove)

test('a promise of a library that nobody waits for is found, one that is handled is not', () => {
  const program = ts.createProgram([join(tree.path, 'source.ts')], {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    noEmit: true,
    types: [],
  })
  const lines = findFloatingPromises(program).map((each) => source.slice(each.start).split('\n')[0])
  expect(lines).toEqual([
    'write()',
    'query',
    'maybe && write()',
    'write().then(() => 1)',
    'write().finally(() => 1)',
  ])
})
