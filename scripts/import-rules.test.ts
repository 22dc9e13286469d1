import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root, tool } from './lib/toolchain.mjs'
import { allowedFiles, declaredPackages, importProbes } from './testing/import-probes.ts'
import { makeToyTree, runIn } from './testing/toy-tree.ts'

interface Violation {
  from: string
  rule: { name: string }
}

const configFile = join(root, '.dependency-cruiser.cjs')
const config = createRequire(import.meta.url)(configFile) as { forbidden: { name: string }[] }
const rules = config.forbidden.map((rule) => rule.name)

const toyPackages = [...declaredPackages, 'dev-tool', 'undeclared'].flatMap((name) => [
  [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', types: 'index.d.ts' })],
  [`node_modules/${name}/index.d.ts`, 'export type T = 1'],
])
const dependencies = Object.fromEntries(declaredPackages.map((name) => [name, '1.0.0']))
const workspace = (name: string) =>
  JSON.stringify({ name, exports: './src/index.ts', dependencies: { zod: '1.0.0' } })

const tree = makeToyTree({
  'package.json': JSON.stringify({
    workspaces: ['apps/*', 'packages/*'],
    devDependencies: { 'dev-tool': '1.0.0' },
  }),
  'apps/server/package.json': JSON.stringify({ name: '@catenary/server', dependencies }),
  'apps/web/package.json': JSON.stringify({ name: '@catenary/web' }),
  'packages/contracts/package.json': workspace('@catenary/contracts'),
  'packages/domain/package.json': workspace('@catenary/domain'),
  'node_modules/@catenary/contracts/': 'packages/contracts',
  'node_modules/@catenary/domain/': 'packages/domain',
  ...Object.fromEntries(toyPackages),
  ...allowedFiles,
  ...Object.fromEntries(importProbes.map((probe) => [probe.file, probe.imports])),
})
afterAll(tree.remove)

let violations: string[] = []
beforeAll(async () => {
  const args = ['apps', 'packages', '--config', configFile, '--output-type', 'json']
  const report = JSON.parse(await runIn(tree.path, tool('dependency-cruiser', 'depcruise'), args))
  violations = report.summary.violations.map((each: Violation) => `${each.rule.name} in ${each.from}`)
})

test('every import rule has a probe', () => {
  expect(new Set(importProbes.map((probe) => probe.rule))).toEqual(new Set(rules))
})

test.each(importProbes)('$rule is broken by $file', ({ rule, file }) => {
  expect(violations.filter((violation) => violation.endsWith(` in ${file}`))).toEqual([`${rule} in ${file}`])
})

test('files that keep the rules break none', () => {
  const probed = new Set(importProbes.map((probe) => probe.file))
  expect(violations.filter((violation) => !probed.has(violation.split(' in ')[1] ?? ''))).toEqual([])
})
