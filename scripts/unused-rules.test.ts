import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root, tool } from './lib/toolchain.mjs'
import { makeToyTree, runIn } from './testing/toy-tree.ts'

type Issues = { file: string } & Record<string, { name: string }[]>

const { ignoreDependencies: _, ...config } = JSON.parse(readFileSync(join(root, 'knip.json'), 'utf8'))
const service = 'apps/server/src/features/one/one.service.ts'
const tree = makeToyTree({
  'knip.json': JSON.stringify(config),
  'package.json': JSON.stringify({ name: 'toy', private: true, workspaces: ['apps/*', 'packages/*'] }),
  'apps/server/package.json': JSON.stringify({
    name: '@catenary/server',
    type: 'module',
    dependencies: { '@catenary/contracts': '0.1.0', idle: '1.0.0' },
  }),
  'packages/contracts/package.json': JSON.stringify({
    name: '@catenary/contracts',
    type: 'module',
    exports: { '.': './src/index.ts' },
  }),
  'node_modules/@catenary/contracts/': 'packages/contracts',
  'apps/server/src/main.ts': "import { used } from './features/one/one.service.ts'\n\nused()",
  [service]: [
    "import { usedContract } from '@catenary/contracts'",
    "import stranger from 'stranger'",
    'export const used = () => [usedContract, stranger]',
    'export const unused = 1',
    'export type Unused = 1',
  ].join('\n'),
  'apps/server/src/features/one/nobody.ts': 'export {}',
  'packages/contracts/src/index.ts': "export * from './one.ts'",
  'packages/contracts/src/one.ts': 'export const usedContract = 1\nexport const unusedContract = 2',
})
afterAll(tree.remove)

let issues: string[] = []
beforeAll(async () => {
  const report = JSON.parse(await runIn(tree.path, tool('knip'), ['--reporter', 'json', '--no-exit-code']))
  issues = report.issues.flatMap(({ file, ...kinds }: Issues) =>
    Object.entries(kinds).flatMap(([kind, found]) =>
      Array.isArray(found) ? found.map(({ name }) => `${kind}: ${name} in ${file}`) : [],
    ),
  )
})

test.each([
  ['an export that nothing imports', `exports: unused in ${service}`],
  ['a type that nothing imports', `types: Unused in ${service}`],
  [
    'an export of a package that no workspace imports',
    'exports: unusedContract in packages/contracts/src/one.ts',
  ],
  ['a package that nothing imports', 'dependencies: idle in apps/server/package.json'],
  ['a package that is not declared', `unlisted: stranger in ${service}`],
  [
    'a file that nothing reaches',
    'files: apps/server/src/features/one/nobody.ts in apps/server/src/features/one/nobody.ts',
  ],
])('%s is reported', (_what, issue) => {
  expect(issues).toContain(issue)
})

test('nothing that is used is reported', () => {
  expect(issues).toHaveLength(6)
})
