import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectBus } from '../../platform/bus/bus.ts'
import { createLog } from '../../platform/log/log.ts'
import { startApp, type TestApp } from '../../testing/harness.ts'

const deploy = path.resolve(import.meta.dirname, '../../../../../deploy')
/** What Prometheus itself makes, and its functions that look like a name of ours. */
const PROMETHEUS_OWN = new Set(['up', 'histogram_quantile'])

/** The names of metrics in an expression, those of histograms without what their parts end with. */
function namesIn(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|"[^"]*"|\[[^\]]*\]/g, '').replaceAll(/\bby \([^)]*\)/g, '')
  return [...bare.matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b/g)]
    .map(([name]) => name)
    .filter((name) => !PROMETHEUS_OWN.has(name))
    .map((name) => name.replace(/_seconds_(bucket|count|sum)$/, '_seconds'))
}

async function expressionsOfRules(): Promise<string[]> {
  const text = await readFile(path.join(deploy, 'prometheus/alerts.yml'), 'utf8')
  return [...text.matchAll(/^ +expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
    ([, folded, plain]) => folded ?? plain ?? '',
  )
}

async function expressionsOfBoard(): Promise<string[]> {
  const board = JSON.parse(await readFile(path.join(deploy, 'grafana/catenary.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[]
  }
  return board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
}

let app: TestApp
beforeAll(async () => {
  const bus = connectBus({ url: 'redis://127.0.0.1:1', log: createLog({ level: 'silent' }) })
  app = await startApp({ settings: { metrics: true }, bus })
})
afterAll(() => app.close())

test.each([
  { what: 'the alert rules', read: expressionsOfRules, least: 10 },
  { what: 'the Grafana board', read: expressionsOfBoard, least: 18 },
])('every metric that $what name is served', async ({ read, least }) => {
  const { text } = await app.request({ url: '/metrics' })
  const served = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const expressions = await read()
  expect(expressions.length).toBeGreaterThanOrEqual(least)
  const names = expressions.flatMap(namesIn)
  expect(names.length).toBeGreaterThanOrEqual(least)
  expect(names.filter((name) => !served.has(name))).toEqual([])
})

test('a name that is not served is found, whatever stands around it', () => {
  expect(namesIn('sum by (le, no_label) (rate(made_up_seconds_bucket{no_label="x_y"}[5m])) > 1')).toEqual([
    'made_up_seconds',
  ])
})
