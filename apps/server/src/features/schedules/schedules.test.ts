import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { scheduledOccurrences } from '../../database/schema/index.ts'
import { databaseKinds } from '../../testing/database.ts'
import { daily, hourly, type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'

trustTestCertificate()
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe.each(databaseKinds)('schedules that fire on %s', (kind) => {
  let library: ScheduleLibrary
  beforeAll(async () => {
    library = await startScheduleLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())
  afterEach(() => library.reset())

  test('A one-time schedule becomes inactive after its run (D36). Status and last run are those of the latest scheduled run (D55).', async () => {
    const chain = await library.buildChain(['Say {{input}}'], { name: 'Report' })
    library.fake.reply({ text: ['**Done**'] })
    const made = await library.schedule(chain.id, { input: 'hello', emailRecipients: ['boss@example.com'] })
    expect(made).toMatchObject({ name: 'Report', description: 'One-time', status: 'pending', active: true })
    expect(made.nextRunAt).toBe(made.scheduledTime)
    await library.passNext(made)
    const [mark] = await library.marks(made, [{ state: 'completed', emailStatus: 'sent' }])
    expect(library.sent()).toEqual(['Say hello'])
    expect(await library.find(made)).toMatchObject({
      ...{ active: false, pausedReason: null, nextRunAt: null, status: 'completed', emailStatus: 'sent' },
      lastExecutionId: mark?.executionId,
    })
    const run = await library.findRun(mark?.executionId ?? 0)
    expect(run).toMatchObject({
      trigger: 'schedule',
      executedBy: 'Olga',
      status: 'completed',
      input: 'hello',
    })
    expect(await library.arrived(1)).toMatchObject([{ to: ['boss@example.com'] }])
  })

  test('a recurring schedule plans its next time in the same transaction', async () => {
    const made = await library.scheduleNew(daily)
    await library.passNext(made)
    await library.marks(made, [{ state: 'completed', scheduledFor: made.scheduledTime, isManual: false }])
    const { active, nextRunAt, lastRunAt } = await library.find(made)
    expect([active, Date.parse(nextRunAt ?? '') - Date.parse(made.scheduledTime)]).toEqual([true, DAY])
    expect(lastRunAt).not.toBeNull()
  })

  test('After downtime only the latest missed run starts; the others are recorded as missed (D36).', async () => {
    const made = await library.scheduleNew({
      ...daily,
      mailsSkipped: true,
      emailRecipients: ['boss@example.com'],
    })
    await library.pass(2 * DAY + 2 * HOUR)
    const missed = { state: 'missed', reason: 'Catenary was not running', executionId: null } as const
    await library.marks(made, [{ ...missed, emailStatus: null }, missed, { state: 'completed' }])
    expect(library.sent()).toHaveLength(1)
    const subjects = (await library.arrived(2)).map(({ headers }) => headers.subject)
    expect(subjects.toSorted()).toEqual(['Letter: completed', 'Letter: missed'])
    const text = library.server.mail.mails.find(({ headers }) => headers.subject?.endsWith('missed'))?.text
    expect(text).toContain('Catenary was not running. One earlier run was missed too.')
    const { nextRunAt } = await library.find(made)
    expect(Date.parse(nextRunAt ?? '')).toBeGreaterThan(library.now().getTime())
  })

  test('an every-minute schedule left alone for a month records the last hundred occurrences', async () => {
    const made = await library.scheduleNew({ isRecurring: true, recurringType: 'cron', cron: '* * * * *' })
    await library.pass(30 * DAY)
    await vi.waitFor(async () => expect((await library.find(made)).status).toBe('completed'))
    const noted = await library.db.$count(
      scheduledOccurrences,
      eq(scheduledOccurrences.scheduledRunId, made.id),
    )
    expect(noted).toBe(101)
    expect((await library.find(made)).occurrences).toHaveLength(30)
    expect(library.sent()).toHaveLength(1)
  })

  test('A clock that jumps starts no storm of runs, and none twice.', async () => {
    const made = await library.scheduleNew(hourly)
    await library.pass(DAY)
    await vi.waitFor(async () => expect((await library.find(made)).status).toBe('completed'))
    const before = (await library.find(made)).occurrences
    await library.pass(-DAY)
    expect((await library.find(made)).occurrences).toEqual(before)
    await library.change(made.id, { cron: '0 * * * * ' })
    await library.change(made.id, { active: false })
    await library.change(made.id, { active: true })
    await library.pass(2 * HOUR)
    await vi.waitFor(async () => {
      const { nextRunAt } = await library.find(made)
      expect(Date.parse(nextRunAt ?? '')).toBeGreaterThan(library.now().getTime())
    })
    expect(library.sent()).toHaveLength(1)
    await library.pass(DAY)
    await vi.waitFor(() => expect(library.sent()).toHaveLength(2))
  })

  test('If a run still goes on when the next is due, the next is skipped and recorded (D36).', async () => {
    const made = await library.startStuck(hourly)
    await library.passNext(made)
    await library.marks(made, [
      { state: 'running' },
      { state: 'skipped', reason: 'The previous run was still running', emailStatus: null },
    ])
    expect((await library.find(made)).status).toBe('skipped')
    const { lastExecutionId } = await library.find(made)
    await library.post(`/api/executions/${lastExecutionId}/cancel`)
    await library.marks(made, [{ state: 'failed', reason: 'The run was stopped' }, { state: 'skipped' }])
    await library.passNext(made)
    await library.marks(made, [{}, {}, { state: 'completed' }])
  })

  test('Nothing starts for a disabled account; the reason is recorded.', async () => {
    const person = await library.registerUser()
    const chain = await library.buildChain(['Write.'], { as: person })
    const made = await library.schedule(chain.id, hourly, person)
    const disable = (disabled: boolean) =>
      library.request({
        ...{ method: 'PATCH', url: `/api/admin/users/${person.user.id}`, body: { disabled } },
        as: library.admin,
      })
    await disable(true)
    await library.pass(Date.parse(made.nextRunAt ?? '') - library.now().getTime() + 1)
    const rows = () => library.db.select().from(scheduledOccurrences).orderBy(scheduledOccurrences.id)
    await vi.waitFor(async () => expect(await rows()).toHaveLength(1))
    expect(await rows()).toMatchObject([
      {
        state: 'skipped',
        reason: 'The account that created the schedule is disabled',
        scheduledRunId: made.id,
      },
    ])
    await disable(false)
    await library.pass(HOUR)
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{}, { state: 'completed' }]))
  })

  test('Nothing starts once access to the chain was lost; the reason is recorded.', async () => {
    const chain = await library.buildChain(['Write.'], { sharedLevel: 'public' })
    const made = await library.schedule(chain.id, daily, library.other)
    const url = `/api/chains/${chain.id}`
    await library.request({ method: 'PATCH', url, body: { sharedLevel: 'private' }, as: library.owner })
    await library.pass(2 * HOUR)
    await vi.waitFor(async () => expect((await library.find(made, library.other)).status).toBe('skipped'))
    expect(await library.find(made, library.other)).toMatchObject({
      ...{ chainName: null, active: true },
      occurrences: [{ state: 'skipped', reason: 'Oskar may no longer run the chain' }],
    })
    expect((await library.post(`/api/scheduled-runs/${made.id}/execute`, library.other)).status).toBe(404)
    expect((await library.find(made, library.other)).occurrences).toHaveLength(1)
    expect(library.sent()).toEqual([])
  })

  test('An administrator pauses all schedules with one switch.', async () => {
    const made = await library.scheduleNew(hourly)
    const pause = (paused: boolean) =>
      library.request({
        ...{ method: 'POST', url: '/api/admin/schedules', body: { paused }, as: library.admin },
      })
    expect((await pause(true)).body).toMatchObject({ paused: true, active: 1, nextDueAt: made.nextRunAt })
    await library.passNext(made)
    await library.marks(made, [{ state: 'skipped', reason: 'An administrator has paused all schedules' }])
    const refused = await library.post(`/api/scheduled-runs/${made.id}/execute`)
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: 'An administrator has paused all schedules' },
    ])
    expect((await pause(false)).body).toMatchObject({ paused: false })
    await library.passNext(made)
    await library.marks(made, [{}, { state: 'completed' }])
  })

  test('The schedule as it stands at the start decides.', async () => {
    const [off, moved, deleted, edited] = [
      await library.scheduleNew(hourly),
      await library.scheduleNew(hourly),
      await library.scheduleNew(hourly),
      await library.scheduleNew(hourly),
    ]
    library.moveClock(2 * HOUR)
    await library.change(off.id, { active: false })
    await library.change(moved.id, { cron: '30 0 1 1 *' })
    await library.request({ method: 'DELETE', url: `/api/scheduled-runs/${deleted.id}`, as: library.owner })
    await library.change(edited.id, { input: 'new' })
    await library.wake()
    await vi.waitFor(async () => expect((await library.find(edited)).status).toBe('completed'))
    const { lastExecutionId } = await library.find(edited)
    expect(await library.findRun(lastExecutionId ?? 0)).toMatchObject({ input: 'new' })
    expect([(await library.find(off)).occurrences, (await library.find(moved)).occurrences]).toEqual([[], []])
    expect(library.sent()).toHaveLength(1)
  })
})
