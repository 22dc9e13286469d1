import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'

trustTestCertificate()

describe.each(routeDatabaseKinds)('what people are emailed of their budgets, on %s', (kind) => {
  let library: ScheduleLibrary
  beforeAll(async () => {
    library = await startScheduleLibrary(kind)
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(() => library.reset())

  /** Somebody with a budget of so many US dollars; each call costs one. */
  const newPerson = async (budgetUsd: number) => {
    const person = await library.registerUser()
    const url = `/api/admin/users/${person.user.id}/quotas`
    const body = { money: budgetUsd * 100 }
    expect((await library.request({ method: 'PATCH', url, body, as: library.admin })).status).toBe(200)
    const prompt = await library.createPrompt(person, { content: 'Hello' })
    return { person, promptId: prompt.id }
  }
  const run = async (as: TestUser, promptId: number): Promise<number> => {
    library.fake.reply({ inputTokens: 1_000_000, outputTokens: 0 })
    const body = { promptId, model: 'openai' }
    return (await library.request({ method: 'POST', url: '/api/execute-prompt', body, as })).status
  }
  const subjects = async (count: number) =>
    (await library.arrived(count)).map(({ headers }) => headers.subject)

  test('A person is emailed once as their budget is nearly used up, and once as it is.', async () => {
    const { person, promptId } = await newPerson(5)
    for (const _ of [1, 2, 3, 4, 5]) expect(await run(person, promptId)).toBe(200)
    for (const _ of [1, 2]) expect(await run(person, promptId)).toBe(429)
    expect(await subjects(2)).toEqual(['Your budget is nearly used up', 'Your budget is used up'])
    const [near] = library.server.mail.mails
    expect(near?.to).toEqual([person.user.email])
    expect(near?.text).toContain('You have used $4.00 of your budget of $5.00 for this month.')
    expect(near?.text).toContain('/usage')
  })

  test('Whoever switched these messages off gets no email, and is refused all the same.', async () => {
    const { person, promptId } = await newPerson(1)
    const body = { notifications: { budgets: { mail: false } } }
    await library.request({ method: 'PATCH', url: '/api/account', as: person, body })
    expect(await run(person, promptId)).toBe(200)
    expect(await run(person, promptId)).toBe(429)
    const { person: other, promptId: others } = await newPerson(1)
    for (const _ of [1, 2]) await run(other, others)
    expect(await subjects(1)).toEqual(['Your budget is used up'])
    expect(library.server.mail.mails[0]?.to).toEqual([other.user.email])
  })
})
