import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from './harness/package.ts'

const run = promisify(execFile)
const NEEDED = 'This test needs promtool: apt-get install prometheus brings it.'

async function promtool(action: 'check' | 'test', file: string): Promise<string> {
  const asked = run('promtool', [action, 'rules', join(root, 'deploy/prometheus', file)])
  const { stdout } = await asked.catch((error: Error & { code?: unknown; stdout?: string }) => {
    throw error.code === 'ENOENT' ? new Error(NEEDED) : new Error(`${error.message}\n${error.stdout}`)
  })
  return stdout
}

test('Every metric that the alert rules and the Grafana board name is served, and Prometheus’ own `promtool` takes the rules.', async () => {
  expect(await promtool('check', 'alerts.yml')).toMatch(/SUCCESS: \d+ rules found/)
})

test('An alert comes before the connections of a server run out.', async () => {
  expect(await promtool('test', 'alerts.test.yml')).toContain('SUCCESS')
})
