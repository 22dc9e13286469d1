import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BackupsState, Chain } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startApp, type TestApp, type TestUser } from '../../testing/harness.ts'

const PATIENCE_MS = 300_000
const PATH = '/api/admin/backups'

let place: string
let app: TestApp
let admin: TestUser
beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'rows-copy-'))
  const command = path.join(place, 'command')
  writeFileSync(command, '#!/bin/sh\ntest -s "$1"\n', { mode: 0o700 })
  const backups = { directory: path.join(place, 'copies'), time: '03:00', command }
  app = await startApp({ kind: 'server', settings: { dataDir: place, backups } })
  admin = await app.registerUser({ role: 'admin' })
  await app.app.start()
}, PATIENCE_MS)
afterAll(async () => {
  await app?.close()
  rmSync(place, { recursive: true, force: true })
})

const read = async () => (await app.request({ url: PATH, as: admin })).body as BackupsState

test(
  'The nightly copy of a PostgreSQL is tried in an embedded database.',
  async () => {
    const chain = { method: 'POST', url: '/api/chains', body: { name: 'Monday digest' }, as: admin } as const
    const { id } = (await app.request(chain)).body as Chain
    const step = { position: 0, content: 'Sum it up', model: 'openai', outputVariableName: 'sum' }
    const added = await app.request({ ...chain, url: `/api/chains/${id}/steps`, body: step })
    expect(added.status, added.text).toBe(201)
    const begun = await app.request({ method: 'POST', url: PATH, as: admin })
    expect(begun, begun.text).toMatchObject({ status: 200 })
    const [copy] = await vi.waitFor(
      async () => {
        const { copies, underWay } = await read()
        expect(underWay).toBeNull()
        return copies
      },
      { timeout: PATIENCE_MS, interval: 500 },
    )
    expect(copy).toMatchObject({
      state: 'kept',
      problem: null,
      log: null,
      drill: { state: 'proven', problem: null },
    })
    const stages = copy?.drill?.stages ?? []
    expect(stages.map(({ name }) => name)).toEqual(['opened', 'counted', 'migrated', 'ran'])
    expect(stages[1]?.found).toMatch(/rows and the hashes of \d+ tables match its manifest$/)
    expect(stages[3]?.found).toBe('Monday digest, in the sandbox')
    expect(copy?.drill?.restoreMs).toBeGreaterThan(0)
    expect(copy?.drill?.rows).toBeGreaterThan(0)
    // Neither the trial nor a database of its own is left.
    expect(readdirSync(place).toSorted()).toEqual(['command', 'copies'])
    const verified = await app.request({ method: 'POST', url: `${PATH}/${copy?.id}/verify`, as: admin })
    expect(verified.body).toMatchObject({ problem: null, bytes: copy?.bytes, rows: copy?.drill?.rows })
  },
  PATIENCE_MS,
)
