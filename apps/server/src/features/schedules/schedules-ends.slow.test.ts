import type { ScheduledRun } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { scheduledOccurrences, scheduledRuns } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { daily, hourly, type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'

trustTestCertificate()
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe.each(routeDatabaseKinds)('what follows from the end of an occurrence on %s', (kind) => {
  let library: ScheduleLibrary
  beforeAll(async () => {
    library = await startScheduleLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())
  afterEach(() => library.reset())

  test('A schedule pauses after five failures in a row, or another number, or never. Its row and a mail say so.', async () => {
    const made = await library.scheduleNew({ ...hourly, failuresBeforePause: 2 })
    for (const [index, reply] of [{ status: 400 }, {}, { status: 400 }, { status: 400 }].entries()) {
      library.fake.reply(reply)
      await library.passNext(made)
      await vi.waitFor(async () => {
        const { occurrences } = await library.find(made)
        expect(occurrences.map(({ state }) => state)).toEqual(
          ['failed', 'completed', 'failed', 'failed'].slice(0, index + 1),
        )
      })
    }
    const { active, pausedReason, nextRunAt, occurrences } = await library.find(made)
    expect([active, nextRunAt]).toEqual([false, null])
    expect(pausedReason).toBe(`Paused after 2 failures in a row. Last reason: ${occurrences[3]?.reason}`)
    const mails = await library.arrived(3)
    const mail = mails.find(({ headers }) => headers.subject === 'Letter: paused')
    expect(mail?.to).toEqual([library.owner.user.email])
    expect(mail?.text).toContain(`/chains/${made.chainId}/scheduled`)
    const again = await library.change(made.id, { active: true })
    expect(again.body).toMatchObject({ active: true, pausedReason: null })
    library.fake.reply({ status: 400 })
    await library.passNext(made)
    await library.marks(made, [{}, {}, {}, {}, { state: 'failed' }])
    expect((await library.find(made)).active).toBe(true)
  })

  test('a schedule that is never to pause goes on failing; a chain without steps is a failure', async () => {
    const { id } = await library.createChain(library.owner)
    const made = await library.schedule(id, { ...hourly, failuresBeforePause: null })
    for (const times of [1, 2, 3, 4, 5, 6]) {
      await library.passNext(made)
      const failed = {
        state: 'failed',
        reason: 'This chain has no steps. Add a step to execute it.',
      } as const
      await library.marks(
        made,
        Array.from({ length: times }, () => failed),
      )
    }
    expect(await library.find(made)).toMatchObject({ active: true, pausedReason: null })
  })

  test('POST /api/scheduled-runs/{id}/execute runs it now.', async () => {
    const made = await library.scheduleNew({ ...daily, emailRecipients: ['boss@example.com'] })
    const url = `/api/scheduled-runs/${made.id}/execute`
    const reply = await library.post(url)
    expect([reply.status, reply.body]).toMatchObject([201, { chainId: made.chainId, status: 'running' }])
    const [mark] = await library.marks(made, [{ state: 'completed', isManual: true, emailStatus: 'sent' }])
    expect(mark?.executionId).toBe((reply.body as { id: number }).id)
    expect(await library.find(made)).toMatchObject({ active: true, nextRunAt: made.nextRunAt })
    await library.change(made.id, { active: false })
    library.fake.reply({ text: ['half'], fault: 'silence' })
    expect((await library.post(url)).status).toBe(201)
    const second = await library.post(url)
    expect([second.status, second.body]).toEqual([409, { error: 'A run of this schedule is still running' }])
    await library.arrived(1)
    const { rows } = await library.db.execute(sql`select 1 from jobs where queue = 'schedules-by-hand'`)
    expect(rows).toEqual([])
    const { lastExecutionId } = await library.find(made)
    await library.post(`/api/executions/${lastExecutionId}/cancel`)
  })

  test('a Run Now that can’t start says why, and leaves no mark', async () => {
    const { id } = await library.createChain(library.owner)
    const made = await library.schedule(id)
    const reply = await library.post(`/api/scheduled-runs/${made.id}/execute`)
    expect([reply.status, reply.body]).toEqual([
      409,
      { error: 'This chain has no steps. Add a step to execute it.' },
    ])
    expect((await library.find(made)).occurrences).toEqual([])
  })

  test('a run that failed and is resumed mends its mark, and is mailed again', async () => {
    const made = await library.scheduleNew({ emailRecipients: ['boss@example.com'] })
    library.fake.reply({ status: 400 })
    await library.passNext(made)
    const [mark] = await library.marks(made, [{ state: 'failed', emailStatus: 'sent' }])
    await library.post(`/api/executions/${mark?.executionId}/resume`)
    await library.marks(made, [{ state: 'completed', reason: null, emailStatus: 'sent' }])
    const mails = (await library.arrived(3)).filter(({ to }) => to.includes('boss@example.com'))
    const subjects = mails.map(({ headers }) => headers.subject)
    expect(subjects).toEqual(['Letter: failed', 'Letter: completed'])
  })

  test('the mail of a run whose model stopped at its token limit says so', async () => {
    const made = await library.scheduleNew({ emailRecipients: ['boss@example.com'] })
    library.fake.reply({ text: 'Dear', finish: 'length' })
    await library.passNext(made)
    await library.marks(made, [{ state: 'completed', emailStatus: 'sent' }])
    const [letter] = await library.arrived(1)
    expect(letter?.headers.subject).toBe('Letter: completed, but cut off')
    expect(letter?.text).toContain('reached the token limit, so its text is cut off')
  })

  test('an end that is reported again changes nothing', async () => {
    const made = await library.scheduleNew({
      ...daily,
      emailRecipients: ['boss@example.com'],
      failuresBeforePause: 2,
    })
    library.fake.reply({ status: 400 })
    await library.passNext(made)
    const [mark] = await library.marks(made, [{ state: 'failed', emailStatus: 'sent' }])
    const payload = { executionId: mark?.executionId, reference: String(mark?.id), status: 'failed' }
    await library.db.execute(sql`insert into jobs (queue, key, payload)
      values ('run-ended:schedules', ${`${mark?.executionId}:1`}, ${JSON.stringify(payload)}::jsonb)`)
    await vi.waitFor(async () => {
      const { rows } = await library.db.execute(sql`select 1 from jobs where queue = 'run-ended:schedules'`)
      expect(rows).toEqual([])
    })
    expect(await library.find(made)).toMatchObject({ active: true, occurrences: [{ state: 'failed' }] })
    const addresses = library.server.mail.mails.flatMap(({ to }) => to)
    expect(addresses.toSorted()).toEqual(['boss@example.com', library.owner.user.email].toSorted())
  })

  /** As if the process had died after it claimed the occurrence: the job comes again. */
  async function takenUp(made: ScheduledRun, executionId: number | null = null): Promise<void> {
    const dueAt = made.nextRunAt ?? ''
    await library.db.insert(scheduledOccurrences).values({
      ...{ scheduledRunId: made.id, dueAt: new Date(dueAt), state: 'pending' },
      executionId: executionId ?? sql`nextval(pg_get_serial_sequence('executions', 'id'))`,
    })
    await library.db.execute(sql`update scheduled_runs set next_due_at = null where id = ${made.id}`)
    const payload = JSON.stringify({ scheduleId: made.id, dueAt })
    await library.db.execute(sql`insert into jobs (queue, key, payload) values
      ('schedules', ${`again:${made.id}`}, ${payload}::jsonb)`)
  }

  test('A schedule skips its time where its owner may not use the model.', async () => {
    const { admin, owner } = library
    const made = await library.scheduleNew(daily)
    const list = { url: `/api/admin/model-access/${owner.user.id}`, as: admin }
    expect((await library.request({ method: 'PUT', body: { modelIds: [] }, ...list })).status).toBe(200)
    await library.passNext(made)
    const reason = expect.stringContaining('You can’t use the model')
    await library.marks(made, [{ state: 'skipped', executionId: null, reason }])
    expect(library.sent()).toEqual([])
    await library.request({ method: 'DELETE', ...list })
  })

  test('an occurrence that was claimed and deactivated before its start is skipped', async () => {
    const made = await library.scheduleNew(hourly)
    await library.change(made.id, { active: false })
    await takenUp(made)
    await library.marks(made, [
      { state: 'skipped', reason: 'The schedule was deactivated before it started' },
    ])
  })

  test('a process that dies between due and start leaves the start to the next one', async () => {
    const made = await library.scheduleNew(daily)
    await takenUp(made)
    await library.marks(made, [{ state: 'completed' }])
    expect(library.sent()).toHaveLength(1)
  })

  test('a process that dies after the start does not start it again', async () => {
    const made = await library.startStuck(daily)
    const { lastExecutionId } = await library.find(made)
    await library.db.delete(scheduledOccurrences)
    await takenUp(made, lastExecutionId)
    await library.marks(made, [{ state: 'running', executionId: lastExecutionId }])
    expect(library.sent()).toHaveLength(1)
    await library.post(`/api/executions/${lastExecutionId}/cancel`)
  })

  test('a Run Now whose process died is started a minute later', async () => {
    const made = await library.scheduleNew(daily)
    const [row] = await library.db
      .insert(scheduledOccurrences)
      .values({
        ...{ scheduledRunId: made.id, dueAt: library.now(), isManual: true, state: 'pending' },
        executionId: sql`nextval(pg_get_serial_sequence('executions', 'id'))`,
      })
      .returning()
    await library.db.execute(sql`insert into jobs (queue, key, payload) values
      ('schedules-by-hand', 'x', ${JSON.stringify({ occurrenceId: row?.id })}::jsonb)`)
    await library.marks(made, [{ state: 'completed', isManual: true }])
  })

  test('DELETE /api/scheduled-runs/{id} deletes it; deleting a chain deletes its schedules (D54).', async () => {
    const made = await library.scheduleNew(daily)
    await library.passNext(made)
    const [mark] = await library.marks(made, [{ state: 'completed' }])
    await library.request({
      ...{ method: 'DELETE', url: `/api/executions/${mark?.executionId}`, as: library.owner },
    })
    await library.marks(made, [{ state: 'completed', executionId: null }])
    await library.request({ method: 'DELETE', url: `/api/chains/${made.chainId}`, as: library.owner })
    expect(await library.db.$count(scheduledRuns)).toBe(0)
    await library.pass(2 * DAY)
    await vi.waitFor(async () => {
      const { rows } = await library.db.execute(sql`select 1 from jobs where queue = 'schedules'`)
      expect(rows).toEqual([])
    })
    expect(library.sent()).toHaveLength(1)
  })

  test('cleanup deletes what is past its time and no strip shows', async () => {
    const made = await library.scheduleNew(daily)
    const old = {
      scheduledRunId: made.id,
      state: 'completed',
      createdAt: new Date(Date.now() - 91 * DAY),
    } as const
    const rows = Array.from({ length: 130 }, (_, day) => ({
      ...old,
      dueAt: new Date(Date.now() - day * DAY),
    }))
    await library.db.insert(scheduledOccurrences).values(rows)
    await library.db.execute(sql`update jobs set next_at = now() where queue = 'upkeep'`)
    await library.db.execute(sql`select pg_notify('catenary_jobs', '')`)
    await vi.waitFor(async () => expect(await library.db.$count(scheduledOccurrences)).toBe(100))
    expect((await library.find(made)).occurrences).toHaveLength(30)
  })
})
