import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { ReceivedMail } from '../../testing/mail-server.ts'
import { type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'

trustTestCertificate()
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe.each(routeDatabaseKinds)('who may be mailed on %s', (kind) => {
  let library: ScheduleLibrary
  let addresses = 0
  beforeAll(async () => {
    library = await startScheduleLibrary(kind, {
      settings: { mailRecipients: 'confirmed', mailDomains: ['corp.example'] },
    })
    // Not the mails that asked the library's own people.
    await library.reset()
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(() => {
    addresses += 1
  })
  afterEach(() => library.reset())

  const hourly = { isRecurring: true, recurringType: 'hourly' } as const
  const newAddress = () => `Person${addresses}@example.com`
  const linkIn = (mail: ReceivedMail | undefined, kind: 'confirm' | 'unsubscribe') =>
    new URL(new RegExp(`http://localhost/api/mail/${kind}/\\S+`).exec(mail?.text ?? '')?.[0] ?? '').pathname
  const stateOf = async (made: { id: number; chainId: number }) =>
    (await library.find(made)).recipients.map(({ state }) => state)
  const rowsOf = async (kind: string) =>
    (await library.client.pool.query('select person_id, door from activity where kind = $1', [kind])).rows
  const click = (url: string, headers: Record<string, string> = {}) =>
    library.request({
      ...{ method: 'POST', url, body: 'List-Unsubscribe=One-Click' },
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })

  test('Strangers are asked once whether they want mail (D58).', async () => {
    const address = newAddress()
    const made = await library.scheduleNew({ ...hourly, emailRecipients: [address] })
    const [question] = await library.arrived(1)
    expect(question).toMatchObject({
      ...{ to: [address], headers: { subject: 'May Olga email you results?' } },
    })
    expect(await stateOf(made)).toEqual(['asked'])
    await library.scheduleNew({
      scheduledTime: '2099-01-01T00:00:00Z',
      emailRecipients: [address.toUpperCase()],
    })

    await library.passNext(made)
    const emailReason = `${address}: Waiting for the recipient to agree`
    await library.marks(made, [{ state: 'completed', emailStatus: 'pending', emailReason }])
    expect(await library.arrived(1)).toEqual([question])

    const url = linkIn(question, 'confirm')
    const page = await library.request({ url })
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('<form method="post">')
    expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    expect(await stateOf(made), 'a page that was looked at is no answer').toEqual(['asked'])
    expect((await click(url)).text).toContain('Thank you')
    expect(await rowsOf('mail.confirmed')).toEqual([{ person_id: null, door: 'page' }])
    await library.marks(made, [{ emailStatus: 'sent', emailReason: null }])
    expect(await stateOf(made)).toEqual(['ready'])
    expect((await library.arrived(2))[1]).toMatchObject({ headers: { subject: 'Letter: completed' } })
  })

  test('what waited longer than a day for a yes is not sent', async () => {
    const made = await library.scheduleNew({ ...hourly, emailRecipients: [newAddress()] })
    const [question] = await library.arrived(1)
    await library.passNext(made)
    await library.marks(made, [{ emailStatus: 'pending' }])
    library.moveClock(DAY + HOUR)
    await click(linkIn(question, 'confirm'))
    const late = expect.stringContaining('The recipient agreed too late')
    await library.marks(made, [{ emailStatus: 'failed', emailReason: late }])
    await library.arrived(1)
  })

  test('A no to mail holds, for a new schedule too (D58).', async () => {
    const address = newAddress()
    const made = await library.scheduleNew({ ...hourly, emailRecipients: [address] })
    await click(linkIn((await library.arrived(1))[0], 'confirm'))
    await library.passNext(made)
    const [, result] = await library.arrived(2)
    expect(result?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    const url = linkIn(result, 'unsubscribe')
    expect(result?.headers['list-unsubscribe']).toBe(`<http://localhost${url}>`)
    expect((await library.request({ url })).text).toContain('Stop emails from Olga?')
    expect((await click(url)).text).toContain('You won’t get these emails any more')
    expect(await rowsOf('mail.unsubscribed')).toEqual([{ person_id: null, door: 'page' }])

    const again = await library.scheduleNew({ ...hourly, emailRecipients: [address] })
    expect(await stateOf(again)).toEqual(['refused'])
    await library.passNext(again)
    const emailReason = `${address}: The recipient asked for no more email`
    await library.marks(again, [{ state: 'completed', emailStatus: 'failed', emailReason }])
    await library.arrived(2)
  })

  test('a no withholds what still waits for a yes', async () => {
    const made = await library.scheduleNew({ ...hourly, emailRecipients: [newAddress()] })
    const [question] = await library.arrived(1)
    await library.passNext(made)
    await library.marks(made, [{ emailStatus: 'pending' }])
    await click(linkIn(question, 'confirm').replace('/confirm/', '/unsubscribe/'))
    await library.marks(made, [{ emailStatus: 'failed' }])
    expect(await stateOf(made)).toEqual(['refused'])
  })

  test('addresses at the domains that are set, and those that an admin names, are not asked', async () => {
    const recipients = ['CHIEF@corp.example', 'boss@corp.example', 'boss@notcorp.example']
    const made = await library.scheduleNew({ emailRecipients: recipients })
    expect(await stateOf(made)).toEqual(['ready', 'ready', 'asked'])
    const [question] = await library.arrived(1)
    expect(question?.to).toEqual(['boss@notcorp.example'])
    await library.passNext(made)
    const mails = (await library.arrived(3)).slice(1)
    const unsubscribe = Object.fromEntries(
      mails.map(({ to, headers }) => [to[0], headers['list-unsubscribe'] !== undefined]),
    )
    expect(unsubscribe).toEqual({ 'CHIEF@corp.example': true, 'boss@corp.example': true })

    const chain = await library.buildChain(['Write.'], { as: library.admin })
    const admins = await library.schedule(chain.id, { emailRecipients: [newAddress()] }, library.admin)
    expect((await library.find(admins, library.admin)).recipients).toMatchObject([{ state: 'ready' }])
    const mail = await library.request({ url: '/api/mail', as: library.admin })
    expect(mail.body).toMatchObject({ recipients: 'any', domains: ['corp.example'] })
  })

  test.each(['confirm', 'unsubscribe'])('a link to %s that was not made here leads nowhere', async (kind) => {
    for (const token of ['x', 'v1.AAAA', `v1.${'A'.repeat(80)}`]) {
      const url = `/api/mail/${kind}/${token}`
      for (const reply of [await library.request({ url }), await click(url)]) {
        expect([reply.status, reply.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
        expect(reply.text).toContain('This link no longer works')
      }
    }
  })

  test('another site can’t press the button of a signed-in person', async () => {
    const made = await library.scheduleNew({ emailRecipients: [newAddress()] })
    const url = linkIn((await library.arrived(1))[0], 'confirm')
    const reply = await click(url, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })
    expect(reply.status).toBe(403)
    expect(await stateOf(made)).toEqual(['asked'])
  })
})
