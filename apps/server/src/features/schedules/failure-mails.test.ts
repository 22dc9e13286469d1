import type { NotificationFields, ScheduledRun } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { hourly, type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'

trustTestCertificate()

describe.each(routeDatabaseKinds)('what its creator is told of a schedule that fails, on %s', (kind) => {
  let library: ScheduleLibrary
  beforeAll(async () => {
    library = await startScheduleLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(() => library.reset())

  const choose = async (notifications: NotificationFields) => {
    const reply = await library.request({
      ...{ method: 'PATCH' as const, url: '/api/account', as: library.owner, body: { notifications } },
    })
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }
  /** Lets the schedule come due once for each, and fail where it says so. */
  const passAll = async (made: ScheduledRun, states: readonly ('failed' | 'completed')[]) => {
    for (const [index, state] of states.entries()) {
      library.fake.reply(state === 'failed' ? { status: 400 } : {})
      await library.passNext(made)
      await library.marks(
        made,
        states.slice(0, index + 1).map((each) => ({ state: each })),
      )
    }
  }
  const subjects = async (count: number) =>
    (await library.arrived(count)).map(({ headers }) => headers.subject)

  test('The creator of a schedule is emailed once as it begins to fail, again after it has completed, and as it is paused.', async () => {
    const made = await library.scheduleNew({ ...hourly, failuresBeforePause: 3 })
    await passAll(made, ['failed', 'failed', 'completed', 'failed', 'failed', 'failed'])
    expect(await subjects(3)).toEqual(['Letter: failed', 'Letter: failed', 'Letter: paused'])
    const { email } = library.owner.user
    expect(library.server.mail.mails.map(({ to }) => to)).toEqual([[email], [email], [email]])
    expect(library.server.mail.mails[0]?.text).toContain(`/chains/${made.chainId}/scheduled`)
    expect((await library.find(made)).emailStatus).toBeNull()
  })

  test('A creator who is among the recipients reads of each failure once.', async () => {
    const emailRecipients = [library.owner.user.email.toUpperCase()]
    const made = await library.scheduleNew({ ...hourly, emailRecipients })
    await passAll(made, ['failed', 'failed'])
    expect(await subjects(2)).toEqual(['Letter: failed', 'Letter: failed'])
  })

  test('Nobody is emailed of failures who switched that off; recipients are, as the schedule says.', async () => {
    expect(await choose({ failures: { mail: false } })).toMatchObject({
      notifications: { failures: { mail: false }, asks: { page: true, mail: true } },
    })
    const made = await library.scheduleNew({
      ...{ ...hourly, failuresBeforePause: 2, emailRecipients: ['boss@example.com'] },
    })
    await passAll(made, ['failed', 'failed'])
    expect((await library.find(made)).active).toBe(false)
    expect((await library.arrived(2)).map(({ to }) => to)).toEqual([
      ['boss@example.com'],
      ['boss@example.com'],
    ])
    await choose({ failures: { mail: true } })
  })

  test('What has no messages can’t be chosen.', async () => {
    for (const notifications of [{ quality: { mail: true } }, { failures: { page: true } }]) {
      const reply = await library.request({
        ...{ method: 'PATCH' as const, url: '/api/account', as: library.owner, body: { notifications } },
      })
      expect(reply.status).toBe(400)
    }
  })
})
