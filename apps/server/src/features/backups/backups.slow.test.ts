import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BackupsState } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startApp, type TestApp, type TestUser } from '../../testing/harness.ts'

const PATIENCE_MS = 300_000
const PATH = '/api/admin/backups'
/** Of a file that takes none. */
const FAR_TOO_MANY_BYTES = 8e12
/** What the command writes before it fails. */
const SAID = { out: 'looking for the bucket', err: 'The bucket is full' }

let place: string
let commands: string
let app: TestApp
let admin: TestUser
beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'backups-'))
  commands = mkdtempSync(path.join(tmpdir(), 'backup-commands-'))
  const command = path.join(commands, 'fails')
  const script = `printf '%s|%s' "$#" "$1" > ${commands}/seen; echo "${SAID.out}"; echo "${SAID.err}" >&2; exit 3`
  writeFileSync(command, `#!/bin/sh\n${script}\n`)
  chmodSync(command, 0o700)
  app = await startApp({
    settings: {
      dataDir: place,
      metrics: true,
      // Nothing listens there: what is queued stays.
      ...{ smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'a@example.org', mailRecipients: 'any' },
      backups: { directory: path.join(place, 'copies'), time: '03:00', command },
    },
  })
  admin = await app.registerUser({ role: 'admin' })
  await app.app.start()
}, PATIENCE_MS)
afterAll(async () => {
  await app?.close()
  for (const made of [place, commands]) rmSync(made, { recursive: true, force: true })
})

const read = async () => (await app.request({ url: PATH, as: admin })).body as BackupsState
/** What administrators are told by mail of it. */
const readMails = async (what: 'copy' | 'drill') => {
  const { rows } = await app.client.pool.query<{ letter: { paragraphs: string[] } }>(
    'select letter from mails where key like $1 and user_id = $2 order by id',
    [`backup:${what}:%`, admin.user.id],
  )
  return rows.map(({ letter }) => letter.paragraphs.join(' '))
}
const readGauges = async () => {
  const { text } = await app.request({ url: '/metrics' })
  const lines = text.matchAll(/^(backup_\w+)(?:\{\})? (\S+)$/gm)
  return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]))
}
const settled = () =>
  vi.waitFor(
    async () => {
      const state = await read()
      expect(state.underWay).toBeNull()
      return state
    },
    { timeout: PATIENCE_MS, interval: 500 },
  )

test('A folder that can’t be used is a notice and a metric at once.', async () => {
  const folder = path.join(place, 'copies')
  const age = expect.any(Number)
  expect(await readGauges()).toEqual({
    backup_failing: 0,
    backup_drill_failing: 0,
    backup_proven_age_seconds: age,
  })
  writeFileSync(folder, 'no folder')
  expect(await readGauges()).toMatchObject({ backup_failing: 1, backup_proven_age_seconds: age })
  const problem = expect.stringContaining('can’t be used: ENOTDIR')
  const { body } = await app.request({ url: '/api/admin/notices', as: admin })
  expect(body).toMatchObject({ quiet: null, backup: { what: 'copy', problem } })
  rmSync(folder)
  expect(await readGauges()).toMatchObject({ backup_failing: 0 })
})

test(
  'a copy that is made now is listed, and proven by a restore on trial, also where the command that gets its path fails',
  async () => {
    expect(await read()).toMatchObject({ copies: [], underWay: null, place: { problem: null } })
    mkdirSync(path.join(place, 'copies'))
    const unfinished = 'catenary-2026-11-01T030000Z-daily.catenary.new'
    writeFileSync(path.join(place, 'copies', unfinished), 'half')
    const begun = await app.request({ method: 'POST', url: PATH, as: admin })
    expect(begun).toMatchObject({ status: 200, body: { underWay: 'copy' } })
    const { copies } = await settled()
    expect(copies).toMatchObject([
      {
        ...{ state: 'kept', reason: 'by hand', log: `${SAID.out}\n${SAID.err}` },
        problem: 'The copy is here, but BACKUP_COMMAND failed (3): The bucket is full',
        drill: { state: 'proven', problem: null, log: null },
      },
    ])
    const [copy] = copies
    expect(readFileSync(path.join(commands, 'seen'), 'utf8')).toBe(
      `1|${path.join(place, 'copies', copy?.name ?? '')}`,
    )
    expect(await readMails('copy')).toEqual([expect.stringContaining(copy?.problem ?? '')])
    expect(await readMails('drill')).toEqual([])
    expect(copy?.drill?.stages.map(({ name }) => name)).toEqual(['opened', 'counted', 'migrated', 'ran'])
    expect(copy?.rows).toBeGreaterThan(0)
    expect(readdirSync(place)).toEqual(['copies'])
    expect(readdirSync(path.join(place, 'copies'))).toEqual(['.catenary-copies', copy?.name])
  },
  PATIENCE_MS,
)

test(
  'Administrators alone see, make, try, download and delete copies; downloads are noted, and ten an hour.',
  async () => {
    const user = await app.registerUser()
    const { copies } = await read()
    const [copy] = copies
    const at = `${PATH}/${copy?.id}`
    for (const url of [PATH, `${at}/file`, '/api/admin/notices']) {
      expect((await app.request({ url, as: user })).status, url).toBe(403)
      expect((await app.request({ url })).status, url).toBe(401)
    }
    for (const url of [PATH, `${at}/drill`, `${at}/verify`, '/api/admin/resume-work']) {
      expect((await app.request({ method: 'POST', url, as: user })).status, url).toBe(403)
    }
    const verified = await app.request({ method: 'POST', url: `${at}/verify`, as: admin })
    expect(verified.body).toMatchObject({ problem: null, bytes: copy?.bytes, rows: copy?.rows })
    const file = await app.request({ url: `${at}/file`, as: admin })
    expect(file.status).toBe(200)
    expect(file.headers['content-length']).toBe(String(copy?.bytes))
    expect(file.headers['content-disposition']).toBe(`attachment; filename="${copy?.name}"`)
    expect(file.text.startsWith('CATENARY BACKUP 1\n')).toBe(true)
    const newest = await app.request({ method: 'DELETE', url: at, as: admin })
    expect(newest).toMatchObject({ status: 409, body: { error: expect.stringContaining('newest') } })
    for (let left = 9; left > 0; left -= 1) await app.request({ url: `${at}/file`, as: admin })
    expect((await app.request({ url: `${at}/file`, as: admin })).status).toBe(429)
    const tried = await app.request({ method: 'POST', url: `${at}/drill`, as: admin })
    expect(tried).toMatchObject({ status: 200, body: { underWay: 'drill' } })
    await settled()
    const { rows } = await app.client.pool.query(
      `select kind, person_id, door, count(*)::integer from activity
        where kind like 'backup.%' and kind not like '%refused' group by 1, 2, 3 order by 1`,
    )
    // Of the calls alone: the ends of copies and drills are a job's.
    const called = { person_id: admin.user.id, door: 'page' }
    expect(rows).toEqual([
      { kind: 'backup.downloaded', ...called, count: 10 },
      { kind: 'backup.made', ...called, count: 1 },
      { kind: 'backup.tried', ...called, count: 1 },
    ])
  },
  PATIENCE_MS,
)

test(
  'Room is looked at first; a copy or its command that fails is a row, a banner, a mail and a metric, and leaves nothing half.',
  async () => {
    const before = readdirSync(path.join(place, 'copies'))
    const sparse = path.join(app.client.directory ?? '', 'sparse')
    writeFileSync(sparse, '')
    truncateSync(sparse, FAR_TOO_MANY_BYTES)
    await app.request({ method: 'POST', url: PATH, as: admin })
    const [failed] = (await settled()).copies
    rmSync(sparse)
    const problem = expect.stringMatching(
      /^A copy may take 8,000,\d+ MB, and \d+ MB must stay free for the program\. Only .* are free in .*: free up space/,
    )
    expect(failed).toMatchObject({ state: 'failed', name: null, problem, log: null })
    expect(readdirSync(path.join(place, 'copies'))).toEqual(before)
    expect((await readMails('copy')).at(-1)).toContain(failed?.problem)
    const away = await app.request({ method: 'DELETE', url: `${PATH}/${failed?.id}`, as: admin })
    expect(away.status).toBe(204)
    const { rows } = await app.client.pool.query(
      `select person_id, object_id, door from activity where kind = 'backup.deleted'`,
    )
    expect(rows).toEqual([{ person_id: admin.user.id, object_id: failed?.id, door: 'page' }])
  },
  PATIENCE_MS,
)

test(
  'a folder that can’t be used, and a file that vanished, are shown as what they are',
  async () => {
    const { copies } = await read()
    const [copy] = copies
    rmSync(path.join(place, 'copies'), { recursive: true })
    expect((await read()).copies).toMatchObject([{ id: copy?.id, state: 'gone' }])
    const drilled = await app.request({ method: 'POST', url: `${PATH}/${copy?.id}/drill`, as: admin })
    expect(drilled.status).toBe(404)
    writeFileSync(path.join(place, 'copies'), 'no folder')
    await app.request({ method: 'POST', url: PATH, as: admin })
    const failed = await settled()
    expect(failed.copies[0]).toMatchObject({ state: 'failed', name: null, drill: null })
    const notices = await app.request({ url: '/api/admin/notices', as: admin })
    const { problem } = failed.copies[0] ?? {}
    expect(problem).toContain('is not the folder that earlier copies went to')
    expect(notices.body).toMatchObject({ quiet: null, backup: { what: 'copy', problem } })
    expect((await readMails('copy')).at(-1)).toContain(problem)
    const away = await app.request({ method: 'DELETE', url: `${PATH}/${failed.copies[0]?.id}`, as: admin })
    expect(away.status).toBe(204)
    expect((await read()).copies).toHaveLength(1)
  },
  PATIENCE_MS,
)

test('A restored copy starts quiet: the sandbox answers, every address is refused, nothing goes out, until an administrator or `start --resume-work` lets it. Until then it takes no copy.', async () => {
  const { pool } = app.client
  const pending = { schedules: 1, mails: 2, jobs: 3, runs: 4 }
  const since = '2026-11-24T08:00:00.000Z'
  await pool.query(`insert into settings (key, value) values ('quiet', $1)`, [
    { since, from: 'restore', pending },
  ])
  // The job that made the copy is in it.
  await pool.query(
    `insert into jobs (queue, key, payload, run_at) values ('backup', 'copy', '{}', now() + interval '1 day')`,
  )
  const copy = await startApp({ database: app, settings: app.settings, isQuiet: true })
  const post = (url: string) => copy.request({ method: 'POST', url, as: admin })
  const notices = async () => (await copy.request({ url: '/api/admin/notices', as: admin })).body
  expect(await notices()).toEqual({ quiet: { since, pending }, awaitsStart: false, backup: null })
  expect(await post(PATH)).toMatchObject({ status: 409, body: { error: expect.stringContaining('quiet') } })
  expect((await copy.request({ url: PATH, as: admin })).body).toMatchObject({ underWay: null })
  expect((await post('/api/admin/resume-work')).status).toBe(204)
  expect((await post('/api/admin/resume-work')).status).toBe(409)
  expect(await notices()).toEqual({ quiet: null, awaitsStart: true, backup: null })
  const restart = expect.stringContaining('Restart Catenary')
  expect(await post(PATH)).toMatchObject({ status: 409, body: { error: restart } })
  await copy.close()
  const { body } = await app.request({ url: '/api/admin/notices', as: admin })
  expect(body).toMatchObject({ quiet: null, awaitsStart: false })
  const { rows } = await pool.query(`select person_id from activity where kind = 'instance.work_resumed'`)
  expect(rows).toEqual([{ person_id: admin.user.id }])
})
