import type { ListedAsk, StepAsk } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeStepAsk } from '../../../testing/asks.ts'
import { startSharingChains } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import type { TestUser } from '../../../testing/harness.ts'
import { startScheduleLibrary } from '../../../testing/schedules.ts'
import { trustTestCertificate } from '../../../testing/trusted-certificate.ts'

trustTestCertificate()

const MINUTE_MS = 60_000
const asking = (fields: Partial<StepAsk> = {}) => ({
  ...{ kind: 'ask', title: 'Approve', content: '' },
  ask: makeStepAsk({ people: ['Edda'], text: 'Hidden text', ...fields }),
})

describe.each(routeDatabaseKinds)('what people are told of asks, on %s', (kind) => {
  let lab: Awaited<ReturnType<typeof startScheduleLibrary>>
  let people: Awaited<ReturnType<typeof startSharingChains>>
  let editor: TestUser
  beforeAll(async () => {
    lab = await startScheduleLibrary(kind)
    people = await startSharingChains({ ...lab, find: lab.findRun })
    editor = people.editor
    await lab.app.start()
  })
  afterAll(() => lab.close())
  beforeEach(() => lab.reset())

  const open = async (as: TestUser) =>
    (await lab.request({ url: '/api/asks?status=open', as })).body as ListedAsk[]

  test('Whoever may answer gets an email with the question and a link, never the text, and another at half the time.', async () => {
    const chain = await people.share([asking({ deadlineMinutes: 60 })])
    await lab.execute(chain.id, {}, people.viewer)
    const [mail] = await lab.arrived(1)
    expect(mail?.to).toEqual([editor.user.email])
    expect(mail?.headers.subject).toBe('Send this answer?')
    const [ask] = await open(editor)
    expect(mail?.text).toContain(`/asks/${ask?.id}`)
    expect(`${mail?.text}${mail?.html}`).not.toContain('Hidden text')
    await lab.pass(31 * MINUTE_MS)
    const [, reminder] = await lab.arrived(2)
    expect(reminder?.headers.subject).toBe('Still waiting for you: Send this answer?')
  })

  test('Nobody gets an email who switched those of asks off.', async () => {
    const body = { notifications: { asks: { mail: false } } }
    const saved = await lab.request({ method: 'PATCH', url: '/api/account', as: editor, body })
    expect(saved.body).toMatchObject({ notifications: { asks: { page: true, mail: false } } })
    const chain = await people.share([asking({ people: ['Edda', 'Vera'] })])
    await lab.execute(chain.id, {}, people.viewer)
    const [mail] = await lab.arrived(1)
    expect(mail?.to).toEqual([people.viewer.user.email])
    await lab.request({
      method: 'PATCH',
      url: '/api/account',
      as: editor,
      body: { notifications: { asks: { mail: true } } },
    })
  })

  test('A scheduled run that waits for a person does not hold up the next, and with twenty of them the next is recorded as missed.', async () => {
    const chain = await people.share([asking({ deadlineMinutes: 43_200 })])
    const schedule = await lab.schedule(chain.id, { isRecurring: true, recurringType: 'daily' })
    await lab.passNext(schedule)
    await vi.waitFor(async () => expect(await open(editor)).not.toEqual([]))
    await lab.passNext(schedule)
    await vi.waitFor(async () => {
      const found = await lab.find(schedule)
      expect(found.occurrences.map(({ state }) => state)).toEqual(['running', 'running'])
    })
    await lab.db.execute(sql`
      insert into scheduled_occurrences (scheduled_run_id, due_at, state, waits)
      select ${schedule.id}, now() - make_interval(days => n), 'running', true from generate_series(1, 18) n`)
    await vi.waitFor(async () => {
      const { rows } = await lab.db.execute(sql`
        select count(*)::integer as n from scheduled_occurrences where scheduled_run_id = ${schedule.id} and waits`)
      expect(rows).toEqual([{ n: 20 }])
    })
    await lab.passNext(schedule)
    await vi.waitFor(async () => {
      const found = await lab.find(schedule)
      expect(found.occurrences.at(-1)).toMatchObject({
        ...{ state: 'missed', reason: '20 earlier runs are waiting for a person to answer' },
      })
    })
  })
})
