import type { SchedulerState, SystemCheckResult } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'

trustTestCertificate()

describe.each(routeDatabaseKinds)('how schedules and mail are doing, for administrators, on %s', (kind) => {
  let library: ScheduleLibrary
  beforeAll(async () => {
    library = await startScheduleLibrary(kind, { settings: { metrics: true } })
    await library.app.start()
  })
  afterAll(() => library.close())

  const state = async () =>
    (await library.request({ url: '/api/admin/schedules', as: library.admin })).body as SchedulerState
  const check = async () =>
    (await library.request({ url: '/api/admin/checks/schedules', as: library.admin, headers: {} }))
      .body as SystemCheckResult
  const figures = async () => (await library.request({ url: '/metrics' })).text

  test('The dashboard and /metrics show the state of scheduler and mail.', async () => {
    expect(await state()).toMatchObject({ active: 0, nextDueAt: null, overdue: 0, lastLatenessMs: null })
    expect(await check()).toMatchObject({
      ...{ status: 'ok', message: '0 active, none is due; 0 emails waiting, 0 not delivered within a day' },
    })
    expect(await figures()).toContain('schedules_next_due_seconds Nan\n')

    library.server.mail.refused.set('boss@example.com', 451)
    const made = await library.scheduleNew({
      ...{ isRecurring: true, recurringType: 'daily', emailRecipients: ['boss@example.com'] },
    })
    await library.passNext(made)
    await library.marks(made, [{ state: 'completed', emailStatus: 'pending' }])
    const { nextRunAt } = await library.find(made)
    const { lastLatenessMs, ...counts } = await state()
    expect(counts).toEqual({
      ...{ paused: false, active: 1, nextDueAt: nextRunAt, overdue: 0 },
      ...{ mailIsSetUp: true, mailsWaiting: 1, mailsFailed: 0 },
    })
    expect(lastLatenessMs).toBeGreaterThanOrEqual(0)
    expect((await check()).message).toContain(`1 active, the next is due ${nextRunAt}, the last one started`)
    const text = await figures()
    for (const line of ['schedules_active 1', 'mails_waiting 1', 'schedule_lateness_seconds_count 1']) {
      expect(text).toContain(`${line}\n`)
    }
    await vi.waitFor(async () => expect(await figures()).toContain('mails_failing 1\n'))
  })

  test('a due schedule without a worker to start it is a failed check', async () => {
    await library.db.execute(
      sql`update scheduled_runs set next_due_at = ${new Date(library.now().getTime() - 120_000)}`,
    )
    expect((await state()).overdue).toBe(1)
    expect(await check()).toMatchObject({
      ...{ status: 'failed', message: expect.stringContaining('Is a worker running?') },
    })
  })

  test('a pause is not reported as a failure', async () => {
    await library.request({
      ...{ method: 'POST', url: '/api/admin/schedules', body: { paused: true }, as: library.admin },
    })
    expect(await check()).toMatchObject({
      ...{ status: 'off', message: expect.stringContaining('An administrator has paused all schedules') },
    })
  })
})
