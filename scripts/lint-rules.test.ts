import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root, tool } from './lib/toolchain.mjs'
import { makeToyTree, runIn } from './testing/toy-tree.ts'

interface Diagnostic {
  category: string
  severity: string
  location: { path: string }
}

const feature = 'apps/server/src/features/one'
const save = 'export async function save(): Promise<number> {\n  return 1\n}'
const manyLines = Array.from({ length: 401 }, (_, line) => `export const line${line} = ${line}`).join('\n')
/** A function with so many lines between its braces. */
const goes = (lines: number) => `export function go() {\n${'  save()\n'.repeat(lines)}}\n\nfunction save() {}`

const probes = [
  {
    rule: 'nursery/noFloatingPromises',
    file: `${feature}/floating.ts`,
    content: "import { save } from './save.ts'\n\nexport function go() {\n  save()\n}",
  },
  {
    rule: 'nursery/noMisusedPromises',
    file: `${feature}/misused.ts`,
    content: "import { save } from './save.ts'\n\nexport const go = () => (save() ? 1 : 2)",
  },
  {
    rule: 'suspicious/noExplicitAny',
    file: `${feature}/any.ts`,
    content: 'export const go = (input: any) => input',
  },
  { rule: 'suspicious/noConsole', file: `${feature}/console.ts`, content: 'console.log(1)' },
  {
    rule: 'correctness/noUnusedImports',
    file: `${feature}/unused-import.ts`,
    content: "import { save } from './save.ts'",
  },
  {
    rule: 'correctness/noUnusedVariables',
    file: `${feature}/unused-variable.ts`,
    content: 'const unused = 1\n\nexport {}',
  },
  { rule: 'style/noProcessEnv', file: `${feature}/env.ts`, content: 'export const go = process.env.HOME' },
  {
    rule: 'style/noRestrictedImports',
    file: 'apps/web/src/features/one/search-params.ts',
    content: "export { useSearchParams } from 'wouter'",
  },
  {
    rule: 'style/useImportType',
    file: `${feature}/import-type.ts`,
    content: "import { Saved } from './saved.ts'\n\nexport const go = (saved: Saved) => saved",
  },
  {
    rule: 'style/useConsistentTypeDefinitions',
    file: `${feature}/type-alias.ts`,
    content: 'export type Point = { x: number }',
  },
  {
    rule: 'style/noNonNullAssertion',
    file: `${feature}/non-null.ts`,
    content: 'export const go = (input: string | null) => input!.length',
  },
  { rule: 'style/useFilenamingConvention', file: `${feature}/camelCase.service.ts`, content: 'export {}' },
  {
    rule: 'complexity/noExcessiveLinesPerFunction',
    file: `${feature}/long-function.ts`,
    content: goes(81),
  },
  {
    rule: 'complexity/noExcessiveLinesPerFunction',
    file: 'apps/web/src/features/one/long-function.ts',
    content: goes(121),
  },
  { rule: 'style/noExcessiveLinesPerFile', file: `${feature}/long.ts`, content: manyLines },
  {
    rule: 'style/noRestrictedGlobals',
    file: `${feature}/fetch.ts`,
    content: "export const go = () => fetch('/')",
  },
]

const fetchesByAnotherName = {
  [`${feature}/global-fetch.ts`]: "export const go = () => globalThis.fetch('/')",
  [`${feature}/optional-fetch.ts`]: "export const go = () => self?.fetch('/')",
  'apps/web/src/features/one/window-fetch.ts': "export const go = () => window.fetch('/')",
  'apps/web/src/features/one/taken-fetch.ts': 'export const { fetch: go } = window',
}
const readsAnotherClock = Object.fromEntries(
  [
    "new Intl.DateTimeFormat('en').format()",
    "new Intl.RelativeTimeFormat('en')",
    "new Date('2026-01-01').toLocaleString('en')",
    'new Date().toLocaleDateString()',
    'new Date().toLocaleTimeString()',
    'new Date().getHours()',
    'new Date().getTimezoneOffset()',
  ].map((clock, number) => [`apps/web/src/features/one/clock-${number}.ts`, `export const it = ${clock}`]),
)
const needsHttps = Object.fromEntries(
  [
    'crypto.randomUUID()',
    'globalThis.crypto.randomUUID()',
    'crypto.subtle',
    'window.crypto.subtle',
    "navigator.clipboard.writeText('')",
    'window.navigator.clipboard',
    'new ClipboardItem({})',
    'navigator.storage?.estimate()',
    "navigator.locks.request('one', () => {})",
    'navigator.share({})',
    "navigator.wakeLock.request('screen')",
    "navigator.serviceWorker.register('/worker.js')",
    'navigator.mediaDevices.getUserMedia({})',
    'navigator.credentials.get()',
    "new Notification('Done')",
    'Notification.requestPermission()',
    "caches.open('one')",
    'window.showOpenFilePicker()',
  ].map((given, number) => [`apps/web/src/features/one/https-${number}.ts`, `export const it = ${given}`]),
)
const takesFromHttps = {
  'apps/web/src/features/one/taken-clipboard.ts': 'export const { clipboard } = navigator',
  'apps/web/src/features/one/taken-id.ts': 'export const { randomUUID } = crypto',
  'packages/domain/src/taken-id.ts': 'export const id = () => crypto.randomUUID()',
}
const handlesKeys = Object.fromEntries(
  [
    "event.key === 'Enter'",
    "event.key !== 'Enter'",
    "event.nativeEvent.key === 'Enter'",
    "event.key === 'Escape'",
    "'Enter' === event.key",
    "event.code === 'Enter'",
    'event.keyCode === 13',
  ].map((test, number) => [
    `apps/web/src/features/one/enter-${number}.ts`,
    `export const it = (event: KeyboardEvent) => ${test}`,
  ]),
)
const spreads = {
  [`${feature}/spread.ts`]: 'export const go = { ...{ one: 1 }, two: 2 }',
  'packages/domain/src/spread.ts': 'export const go = [{ ...{ one: 1 } }]',
  'apps/web/src/features/one/spread.tsx':
    'export const Go = ({ one }: { one: number }) => <b {...{ one }} />',
  [`${feature}/spread-body.ts`]: 'export const go = (body: unknown) => ({ ...Object(body), one: 1 })',
}
const readsEnvironment = 'export const home = process.env.HOME'
const fetches = "export const go = () => fetch('/')"
const plugins = [
  'no-global-fetch',
  'no-literal-spread',
  'no-spread-of-anything',
  'one-clock',
  'one-enter',
  'plain-http',
].map((name) => `scripts/lint/${name}.grit`)
const tree = makeToyTree({
  'biome.json': readFileSync(join(root, 'biome.json'), 'utf8'),
  ...Object.fromEntries(plugins.map((plugin) => [plugin, readFileSync(join(root, plugin), 'utf8')])),
  '.gitignore': 'node_modules/',
  [`${feature}/save.ts`]: save,
  [`${feature}/saved.ts`]: 'export type Saved = number',
  'apps/server/src/platform/settings/settings.ts': readsEnvironment,
  'apps/server/src/platform/outbound/fetch.ts': fetches,
  'apps/server/src/platform/outbound/global-fetch.ts': 'export const go = globalThis.fetch',
  'apps/web/src/lib/api-client.ts': fetches,
  'apps/web/src/lib/address.ts': "export { useSearchParams } from 'wouter'",
  'apps/web/src/components/ui/kit.ts': manyLines,
  ...fetchesByAnotherName,
  ...readsAnotherClock,
  ...spreads,
  ...needsHttps,
  ...takesFromHttps,
  ...handlesKeys,
  'apps/web/src/lib/keyboard/pressed.ts': "export const it = (event: KeyboardEvent) => event.key === 'Enter'",
  'apps/web/src/components/copy/copy-text.ts': "export const it = () => navigator.clipboard.writeText('')",
  'apps/web/src/features/admin/check-browser-storage.ts': 'export const it = navigator.storage',
  [`${feature}/random-id.ts`]: 'export const it = crypto.randomUUID()',
  [`${feature}/spread.test.ts`]: 'export const go = { ...{ one: 1 }, two: 2 }',
  [`${feature}/short-function.ts`]: goes(80),
  'apps/web/src/features/one/short-function.ts': goes(120),
  'e2e/long-function.ts': goes(121),
  'apps/web/src/lib/text/format-time.ts': "export const it = new Intl.DateTimeFormat('en').format()",
  [`${feature}/clock.ts`]: 'export const it = new Date().getHours()',
  ...Object.fromEntries(probes.map((probe) => [probe.file, probe.content])),
})
afterAll(tree.remove)

let broken: string[] = []
beforeAll(async () => {
  const args = ['lint', '--reporter=json', '--max-diagnostics=none', '.']
  const report = JSON.parse(await runIn(tree.path, tool('@biomejs/biome'), args))
  broken = report.diagnostics.map(
    ({ category, severity, location }: Diagnostic) => `${severity} ${category} in ${location.path}`,
  )
})

test('every lint rule that the configuration names has a probe', () => {
  const { rules } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8')).linter
  const named = Object.entries(rules).flatMap(([group, members]) =>
    typeof members === 'object' && members !== null
      ? Object.keys(members).map((rule) => `${group}/${rule}`)
      : [],
  )
  expect(new Set(probes.map((probe) => probe.rule))).toEqual(new Set(named))
})

test.each(probes)('$rule is broken by $file', ({ rule, file }) => {
  expect(broken.filter((each) => each.endsWith(` in ${file}`))).toEqual([`error lint/${rule} in ${file}`])
})

test.each(Object.keys(fetchesByAnotherName))('the global fetch is not taken by another name: %s', (file) => {
  expect(broken.filter((each) => each.endsWith(` in ${file}`))).toEqual([`error plugin in ${file}`])
})

test.each(Object.keys(readsAnotherClock))('no time is told by another clock: %s', (file) => {
  expect(broken.filter((each) => each.endsWith(` in ${file}`))).toEqual([`error plugin in ${file}`])
})

test.each(Object.keys(spreads))('no literal object is spread, and nothing that may be a text: %s', (file) => {
  expect(broken.filter((each) => each.endsWith(` in ${file}`))).toEqual([`error plugin in ${file}`])
})

test.each([...Object.keys(needsHttps), ...Object.keys(takesFromHttps)])(
  'nothing that plain http lacks is used: %s',
  (file) => {
    expect(broken.filter((each) => each.endsWith(` in ${file}`))).toEqual([`error plugin in ${file}`])
  },
)

test.each(Object.keys(handlesKeys))('no Enter is told by hand: %s', (file) => {
  expect(broken.filter((each) => each.endsWith(` in ${file}`))).toEqual([`error plugin in ${file}`])
})

test('the places that a rule excepts break none', () => {
  const probed = new Set([
    ...probes.map((probe) => probe.file),
    ...Object.keys(fetchesByAnotherName),
    ...Object.keys(readsAnotherClock),
    ...Object.keys(spreads),
    ...Object.keys(needsHttps),
    ...Object.keys(takesFromHttps),
    ...Object.keys(handlesKeys),
  ])
  expect(broken.filter((each) => !probed.has(each.split(' in ')[1] ?? ''))).toEqual([])
})
