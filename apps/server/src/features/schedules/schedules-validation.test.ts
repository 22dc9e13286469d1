import type { ScheduledRun } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'

const DAY = 86_400_000

describe.each(routeDatabaseKinds)('what a schedule may say on %s', (kind) => {
  let library: ScheduleLibrary
  let chainId: number
  beforeAll(async () => {
    library = await startScheduleLibrary(kind)
    chainId = (await library.buildChain(['Write.'], { name: 'Letter' })).id
  })
  afterAll(() => library.close())

  const soon = () => new Date(Date.now() + DAY).toISOString()
  const post = (body: object) =>
    library.request({ method: 'POST', url: `/api/chains/${chainId}/schedule`, body, as: library.owner })

  const remove = ({ id }: ScheduledRun) =>
    library.request({ method: 'DELETE', url: `/api/scheduled-runs/${id}`, as: library.owner })

  test.each([
    [{ scheduledTime: undefined }, 'Schedule time is required'],
    [{ scheduledTime: '' }, 'Schedule time is required'],
    [{ scheduledTime: 'tomorrow' }, 'Not a date with a time'],
    [{ scheduledTime: '2020-01-01T00:00:00Z' }, 'Choose a time in the future'],
    [{ timeZone: 'Mars/Olympus' }, 'Unknown time zone'],
    [{ timeZone: '+02:00' }, 'Unknown time zone'],
    [{ emailRecipients: ['no address'] }, 'Invalid email address'],
    [{ emailRecipients: ['a@example.com\r\nBcc: b@example.com'] }, 'Invalid email address'],
    [{ emailRecipients: Array.from({ length: 21 }, (_, n) => `a${n}@example.com`) }, 'At most 20 recipients'],
    [{ isRecurring: true }, 'Choose how often it repeats'],
    [{ isRecurring: true, recurringType: 'yearly' }, expect.stringContaining('Invalid option')],
    [
      { isRecurring: true, recurringType: 'weekly', recurringDaysOfWeek: [7] },
      expect.stringContaining('<=6'),
    ],
    [{ isRecurring: true, recurringType: 'monthly', recurringDayOfMonth: 32 }, 'Must be a day from 1 to 31'],
    [{ isRecurring: true, recurringType: 'cron' }, 'Enter a line of five fields'],
    [{ isRecurring: true, recurringType: 'cron', cron: '* * * *' }, expect.stringContaining('Five fields')],
    [{ isRecurring: true, recurringType: 'cron', cron: '61 * * * *' }, 'Invalid value for minute: 61'],
    [
      { isRecurring: true, recurringType: 'cron', cron: '0 0 31 2 *' },
      'This time never occurs. Choose another.',
    ],
    [{ failuresBeforePause: 0 }, 'Must be at least 1'],
    [{ name: 'x'.repeat(101) }, 'Name must be at most 100 characters'],
    [{ createdBy: 1 }, expect.stringContaining('Unrecognized key')],
  ])(
    'POST /api/chains/{id}/schedule creates an active schedule: ‘Schedule time is required’, ‘Invalid email address’, weekdays 0–6, day of the month 1–31. (%j)',
    async (fields, error) => {
      const reply = await post({ scheduledTime: soon(), ...fields })
      expect([reply.status, reply.body]).toMatchObject([400, { error }])
      expect(await library.list(chainId)).toEqual([])
    },
  )

  test.each([
    ['2099-01-01T08:00Z', '2099-01-01T08:00:00.000Z'],
    ['2099-01-01T08:00+02:00', '2099-01-01T06:00:00.000Z'],
    ['2099-01-01T08:00:30+0200', '2099-01-01T06:00:30.000Z'],
    ['2099-01-01T08:00:30.500-0330', '2099-01-01T11:30:30.500Z'],
    ['2099-01-01T08:00+02', '2099-01-01T06:00:00.000Z'],
    ['2099-01-01T08:00', '2099-01-01T07:00:00.000Z'],
    ['2099-01-01T08:00:30', '2099-01-01T07:00:30.000Z'],
  ])(
    'A time is taken without seconds, and with any offset of ISO 8601. (%s, %s)',
    async (written, scheduledTime) => {
      const reply = await post({ scheduledTime: written, timeZone: 'Europe/Berlin' })
      expect([reply.status, reply.body]).toMatchObject([201, { scheduledTime }])
      await remove(reply.body as ScheduledRun)
    },
  )

  test('A mail host’s name with letters of any script is kept as mail servers write it.', async () => {
    const emailRecipients = ['a@münchen.de', 'A@xn--mnchen-3ya.de', 'b@例え.jp']
    const reply = await post({ scheduledTime: soon(), emailRecipients })
    expect(reply.body).toMatchObject({ emailRecipients: ['A@xn--mnchen-3ya.de', 'b@xn--r8jz45g.jp'] })
    await remove(reply.body as ScheduledRun)
    for (const address of ['a@mün chen.de', 'a@mü/x.de', 'ü@example.org', 'a@b@ü.de', 'a@ü:80']) {
      expect(await post({ scheduledTime: soon(), emailRecipients: [address] })).toMatchObject({ status: 400 })
    }
  })

  test('Requests may carry the fields’ entity names or their payload names (D34).', async () => {
    const scheduledTime = '2099-01-01T09:00:00.000Z'
    const reply = await post({
      ...{ scheduledTime, isRecurring: true, recurringType: 'weekly', timeZone: 'Europe/Berlin' },
      ...{ recurringDaysOfWeek: [5, 1, 5], recurringDayOfMonth: 3, cron: '* * * * *' },
      emailRecipients: ['A@example.com', 'a@example.com', 'b@example.com'],
    })
    expect(reply.body).toMatchObject({
      ...{ name: 'Letter', description: 'Weekly on Monday, Friday', scheduledTime },
      ...{ recurringDaysOfWeek: [1, 5], recurringDay: [1, 5] },
      ...{ recurringDayOfMonth: null, recurringWeek: null, cron: null, failuresBeforePause: 5 },
      ...{ emailRecipients: ['a@example.com', 'b@example.com'], occurrences: [], emailStatus: null },
      nextRunAt: '2099-01-02T09:00:00.000Z',
    })
    const { id } = reply.body as ScheduledRun
    const monthly = await library.change(id, { recurringType: 'monthly' })
    expect(monthly.body).toMatchObject({
      ...{ recurringDaysOfWeek: [], recurringDayOfMonth: 1, recurringWeek: 1, revision: 2 },
      nextRunAt: scheduledTime,
    })
    const once = await library.change(id, { isRecurring: false, emailRecipients: [] })
    expect(once.body).toMatchObject({ description: 'One-time', recurringType: null, emailRecipients: [] })
    await library.request({ method: 'DELETE', url: `/api/scheduled-runs/${id}`, as: library.owner })
    expect(await library.list(chainId)).toEqual([])
  })

  test('a time without an offset is by the clock of the zone, or of the account, or UTC', async () => {
    const times = async (body: object) => ((await post(body)).body as ScheduledRun).scheduledTime
    const scheduledTime = '2099-07-01T09:00'
    expect(await times({ scheduledTime, timeZone: 'Asia/Kolkata' })).toBe('2099-07-01T03:30:00.000Z')
    expect(await times({ scheduledTime })).toBe('2099-07-01T09:00:00.000Z')
    await library.request({
      ...{ method: 'PATCH', url: '/api/account', body: { timeZone: 'America/New_York' }, as: library.owner },
    })
    expect(await times({ scheduledTime })).toBe('2099-07-01T13:00:00.000Z')
    expect(await times({ scheduledTime: '2099-07-01T09:00:00+05:00' })).toBe('2099-07-01T04:00:00.000Z')
  })

  test('GET /api/chains/{id}/scheduled-runs lists them, the newest scheduled time first.', async () => {
    const { id } = await library.buildChain(['Write.'])
    for (const day of [2, 9, 4]) await library.schedule(id, { scheduledTime: `2099-01-0${day}T00:00:00Z` })
    const days = (await library.list(id)).map(({ scheduledTime }) => scheduledTime.slice(9, 10))
    expect(days).toEqual(['9', '4', '2'])
    const url = `/api/chains/${id}/scheduled-runs?limit=2`
    const first = await library.request({ url, as: library.owner })
    expect([(first.body as ScheduledRun[]).length, first.headers['x-total-count']]).toEqual([2, '3'])
    const rest = await library.request({
      url: `${url}&cursor=${first.headers['x-next-cursor']}`,
      as: library.owner,
    })
    expect(rest.body).toMatchObject([{ scheduledTime: '2099-01-02T00:00:00.000Z' }])
    expect(rest.headers['x-next-cursor']).toBeUndefined()
  })

  test('PATCH /api/scheduled-runs/{id} edits, activates and deactivates; a stale edit is refused (D16, D36).', async () => {
    const made = await library.schedule(chainId)
    await library.change(made.id, { name: 'Newer' })
    const reply = await library.change(made.id, { name: 'Older', revision: made.revision })
    expect([reply.status, reply.body]).toMatchObject([409, { details: { name: 'Newer', revision: 2 } }])
    expect((await library.change(made.id, { name: 'Newest', revision: 2 })).status).toBe(200)
  })

  test('an edit that leaves its times alone leaves its plan alone; one in the past is refused', async () => {
    const made = await library.schedule(chainId)
    expect((await library.change(made.id, { name: 'Other', input: 'x' })).body).toMatchObject({
      nextRunAt: made.nextRunAt,
    })
    const past = await library.change(made.id, { scheduledTime: '2020-01-01T00:00:00Z' })
    expect([past.status, past.body]).toMatchObject([400, { error: 'Choose a time in the future' }])
    const cron = await library.change(made.id, { isRecurring: true, recurringType: 'cron' })
    expect(cron.body).toMatchObject({ error: 'Enter a line of five fields', details: [{ path: 'cron' }] })
    expect(await library.find(made)).toMatchObject({ name: 'Other', nextRunAt: made.nextRunAt })
  })

  test.each([
    ['a day', 24 * 3_600_000],
    ['a moment', 5_000],
  ])('A one-time schedule can’t be activated after its time. (%s)', async (_name, lateMs) => {
    const scheduledTime = new Date(library.now().getTime() + 60_000).toISOString()
    const made = await library.schedule(chainId, { active: false, scheduledTime })
    library.moveClock(60_000 + lateMs)
    const late = await library.change(made.id, { active: true })
    expect([late.status, late.body]).toEqual([
      400,
      {
        error: 'Choose a time in the future',
        details: [{ path: 'scheduledTime', message: 'Choose a time in the future' }],
      },
    ])
    expect(await library.find(made)).toMatchObject({ active: false, nextRunAt: null })
    const again = await library.change(made.id, { active: true, scheduledTime: '2099-01-01T00:00:00Z' })
    expect(again.body).toMatchObject({ active: true })
    library.moveClock(-60_000 - lateMs)
  })

  test('the card of a chain names the zone of the schedule that is next', async () => {
    const person = await library.registerUser()
    const chain = await library.buildChain(['Write.'], { as: person })
    for (const [scheduledTime, timeZone] of [
      ['2099-03-01T00:00:00Z', 'UTC'],
      ['2099-01-01T00:00:00Z', 'Asia/Kolkata'],
      ['2099-02-01T00:00:00Z', 'Europe/Berlin'],
    ] as const) {
      await library.schedule(chain.id, { scheduledTime, timeZone }, person)
    }
    const cards = await library.request({ url: '/api/scheduled-chains', as: person })
    const nextRunAt = '2099-01-01T00:00:00.000Z'
    expect(cards.body).toEqual([{ chainId: chain.id, schedules: 3, nextRunAt, timeZone: 'Asia/Kolkata' }])
  })

  test('a person has 200 schedules at most', async () => {
    const person = await library.registerUser()
    const chain = await library.buildChain(['Write.'], { as: person })
    const made = await library.schedule(chain.id, {}, person)
    await library.db.execute(`insert into scheduled_runs (chain_id, created_by, name, scheduled_time, time_zone)
      select chain_id, created_by, name, scheduled_time, time_zone from scheduled_runs, generate_series(1, 199)
      where id = ${made.id}`)
    const body = { scheduledTime: soon() }
    const reply = await library.request({
      method: 'POST',
      url: `/api/chains/${chain.id}/schedule`,
      body,
      as: person,
    })
    expect([reply.status, reply.body]).toEqual([
      409,
      { error: 'You have 200 schedules. Delete one to add another.' },
    ])
  })
})
