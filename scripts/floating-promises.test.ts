import { join } from 'node:path'
import { API } from 'typescript-7/unstable/sync'
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
  'tsconfig.json': JSON.stringify({
    compilerOptions: { target: 'es2024', module: 'nodenext', strict: true, noEmit: true, types: [] },
    files: ['source.ts'],
  }),
})
const api = new API()
afterAll(() => {
  api.close()
  tree.remove()
})

test('an unhandled promise of a library is found, a handled one is not', () => {
  const config = join(tree.path, 'tsconfig.json')
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
  if (project === undefined) throw new Error('The toy project could not be opened.')
  const lines = findFloatingPromises(project).map(({ pos }) => source.slice(pos).split('\n')[0])
  expect(lines).toEqual([
    'write()',
    'query',
    'maybe && write()',
    'write().then(() => 1)',
    'write().finally(() => 1)',
  ])
})
