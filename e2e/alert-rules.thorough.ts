import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from './harness/package.ts'

const run = promisify(execFile)
const NEEDED = 'This test needs promtool: apt-get install prometheus brings it.'

test('Prometheus’ own promtool accepts the alert rules', async () => {
  const checking = run('promtool', ['check', 'rules', join(root, 'deploy/prometheus/alerts.yml')])
  const { stdout } = await checking.catch((error: Error & { code?: unknown }) => {
    throw error.code === 'ENOENT' ? new Error(NEEDED) : error
  })
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/)
})
