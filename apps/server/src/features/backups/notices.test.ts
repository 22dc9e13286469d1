import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BackupDrill } from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { backups, users } from '../../database/schema/index.ts'
import { startApp, type TestApp } from '../../testing/harness.ts'
import { openPlace } from './copies-place.ts'
import { readNotices, readProvenAge } from './notices.ts'

const DAY_SECONDS = 86_400
const night = (day: number) => new Date(`2026-11-${day}T02:00:00.000Z`)

let place: string
let app: TestApp
beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'notices-'))
  app = await startApp()
  const { user } = await app.registerUser()
  await app.db
    .update(users)
    .set({ createdAt: night(10) })
    .where(eq(users.id, user.id))
})
afterAll(async () => {
  await app?.close()
  rmSync(place, { recursive: true, force: true })
})
afterEach(async () => {
  await app.db.delete(backups)
})

const withPlace = (day: number, directory: string | undefined) => ({
  ...app.ctx,
  now: () => night(day),
  settings: { ...app.ctx.settings, backups: { directory, time: '03:00', command: undefined } },
})
const on = (day: number, directory = place) => withPlace(day, directory)
const nowhere = (day: number) => withPlace(day, undefined)
const noticeOn = async (day: number) => (await readNotices(on(day))).backup

const drilled = (problem: string | null): BackupDrill => ({
  ...{
    state: problem === null ? 'proven' : 'failed',
    at: '2026-11-20T02:12:00.000Z',
    ms: 1,
    restoreMs: null,
  },
  ...{ rows: null, stages: [], problem },
})
type Night = Partial<typeof backups.$inferInsert>
/** One of the night of that day, which is there. */
async function keep(day: number, more: Night): Promise<void> {
  const name = `of-${day}.catenary`
  writeFileSync(path.join(place, name), 'a copy')
  const copy = { name, takenAt: night(day), reason: 'daily', program: '1', state: 'kept' } as const
  await app.db.insert(backups).values({ ...copy, ...more })
}
const fail = (day: number, problem: string) => keep(day, { name: null, state: 'failed', problem })

test('a copy that failed is told until one is proven', async () => {
  await keep(19, { drill: drilled(null) })
  expect(await noticeOn(20)).toBeNull()
  await fail(20, 'No room')
  expect(await noticeOn(20)).toMatchObject({ what: 'copy', problem: 'No room' })
  await keep(21, {})
  expect(await noticeOn(21)).toMatchObject({ what: 'copy', problem: 'No room' })
  await app.db
    .update(backups)
    .set({ drill: drilled(null) })
    .where(eq(backups.takenAt, night(21)))
  expect(await noticeOn(21)).toBeNull()
})

test('a trial that failed is told before a later copy that failed', async () => {
  await keep(19, { drill: drilled(null) })
  await keep(20, { drill: drilled('It does not open') })
  await fail(21, 'No room')
  expect(await noticeOn(21)).toMatchObject({ what: 'drill', problem: 'It does not open' })
  await app.db
    .update(backups)
    .set({ state: 'deleted' })
    .where(eq(backups.takenAt, night(20)))
  expect(await noticeOn(21)).toMatchObject({ what: 'copy' })
})

test('Of what failed since a copy was proven administrators are told the gravest, a trial before a copy; also that nothing was proven for two days.', async () => {
  expect(await readProvenAge(nowhere(12))).toBeNull()
  expect((await readNotices(nowhere(20))).backup).toBeNull()
  expect(await readProvenAge(on(12))).toBe(2 * DAY_SECONDS)
  expect(await noticeOn(12)).toBeNull()
  expect(await noticeOn(13)).toMatchObject({ what: 'late', at: night(10).toISOString() })
  await keep(14, { drill: drilled(null) })
  expect(await readProvenAge(on(15))).toBe(DAY_SECONDS)
  expect(await noticeOn(15)).toBeNull()
  expect(await noticeOn(17)).toMatchObject({ what: 'late', at: night(14).toISOString() })
  rmSync(path.join(place, 'of-14.catenary'))
  expect(await readProvenAge(on(15))).toBe(5 * DAY_SECONDS)
})

test('A copy that is dated in the future is no proof, makes good no failure and keeps no other from being made or tried.', async () => {
  await keep(14, { drill: drilled(null) })
  await fail(20, 'No room')
  await keep(28, { drill: drilled(null) })
  expect(await readProvenAge(on(20))).toBe(6 * DAY_SECONDS)
  expect(await noticeOn(20)).toMatchObject({ what: 'copy', problem: 'No room' })
  // Processes whose clocks differ by minutes serve together.
  await keep(20, {
    name: 'tonight.catenary',
    takenAt: new Date(night(20).getTime() + 60_000),
    drill: drilled(null),
  })
  writeFileSync(path.join(place, 'tonight.catenary'), 'a copy')
  expect(await readProvenAge(on(20))).toBe(0)
  expect(await noticeOn(20)).toBeNull()
})

test('A folder of copies that is not the one it was, as its disk is not mounted, takes none and is told at once.', async () => {
  await keep(19, { drill: drilled(null) })
  const directory = path.join(place, 'mounted')
  const ctx = on(19)
  await app.db.update(backups).set({ name: 'elsewhere.catenary' })
  await expect(openPlace(ctx, directory)).rejects.toThrow('If its disk is not mounted, mount it.')
  await app.db.delete(backups)
  await openPlace(ctx, directory)
  await openPlace(ctx, directory)
  expect((await readNotices(on(11, directory))).backup).toBeNull()
  rmSync(directory, { recursive: true })
  await expect(openPlace(ctx, directory)).rejects.toThrow('is not the folder that earlier copies went to')
  expect(existsSync(directory)).toBe(false)
  const problem = (await readNotices(on(11, directory))).backup?.problem ?? ''
  expect(problem).toMatch(/mount it\. If the folder is to be a new one, say so there: echo [0-9a-f]{16} > /)
  mkdirSync(directory)
  const [, marker = '', file = ''] = / echo (\S+) > (\S+)$/.exec(problem) ?? []
  writeFileSync(file, `${marker}\n`)
  await openPlace(ctx, directory)
  expect((await readNotices(on(11, directory))).backup).toBeNull()
  await openPlace(ctx, path.join(place, 'another'))
})

test('a folder that can’t be used is told at once, not only once the newest proof is too old', async () => {
  await keep(19, { drill: drilled(null) })
  const file = path.join(place, 'no-folder')
  writeFileSync(file, '')
  expect((await readNotices(on(19, file))).backup).toMatchObject({
    ...{ what: 'copy', at: night(19).toISOString() },
    problem: expect.stringMatching(/^The folder of the copies can’t be used: ENOTDIR/),
  })
  expect(await readProvenAge(on(19, file))).toBe(9 * DAY_SECONDS)
  expect(await noticeOn(19)).toBeNull()
})
