import type { MailState, ManagedUser } from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { users } from '../../database/schema/index.ts'
import { createLog } from '../../platform/log/log.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { startApp, type TestUser } from '../../testing/harness.ts'
import type { ReceivedMail } from '../../testing/mail-server.ts'
import { hourly, type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'

trustTestCertificate()
const DAY = 86_400_000
const CONFIRM = 'Confirm your email address for Catenary'
const settings = { mailRecipients: 'confirmed', registration: 'open' }

function linkIn(mail: ReceivedMail | undefined, kind: 'confirm' | 'unsubscribe') {
  return new URL(new RegExp(`http://localhost/api/mail/${kind}/\\S+`).exec(mail?.text ?? '')?.[0] ?? '')
    .pathname
}

describe.each(routeDatabaseKinds)('an account’s own address on %s', (kind) => {
  let library: ScheduleLibrary
  let accounts = 0
  beforeAll(async () => {
    library = await startScheduleLibrary(kind, { settings })
    // Not the mails that asked the library's own people.
    await library.reset()
    await library.app.start()
  })
  afterAll(() => library.close())
  afterEach(() => library.reset())

  const press = (url: string) =>
    library.request({
      ...{ method: 'POST', url, body: '' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const mailState = async (as: TestUser) =>
    (await library.request({ url: '/api/mail', as })).body as MailState
  const sendAgain = (as: TestUser) => library.request({ method: 'POST', url: '/api/mail/confirmation', as })

  /** Someone who registered as `CEO1@elsewhere.example` or so, and the mail that this sent. */
  async function registerStranger() {
    accounts += 1
    const email = `CEO${accounts}@elsewhere.example`
    const person = await library.registerUser({ username: `stranger${accounts}`, email })
    const [question] = await library.arrived(1)
    return { person, email, question }
  }

  async function runFor(person: TestUser, emailRecipients: string[]) {
    const chain = await library.buildChain(['Write.'], { as: person })
    const made = await library.schedule(chain.id, { ...hourly, emailRecipients }, person)
    const find = () => library.find(made, person)
    await library.pass(Date.parse((await find()).nextRunAt ?? '') - library.now().getTime() + 1)
    await expect.poll(async () => (await find()).status).toBe('completed')
    return find
  }

  test('gets one mail that asks, and no result before its owner followed the link', async () => {
    const { person, email, question } = await registerStranger()
    expect(question).toMatchObject({ to: [email], headers: { subject: CONFIRM } })
    expect(await mailState(person)).toMatchObject({ ownAddressState: 'waiting' })
    const find = await runFor(person, [email.toUpperCase()])
    expect(await find()).toMatchObject({
      ...{ emailStatus: 'pending', recipients: [{ state: 'asked' }] },
      emailReason: `${email.toUpperCase()}: This address is not confirmed yet`,
    })
    await library.wake()
    expect(await library.arrived(1)).toEqual([question])

    const url = linkIn(question, 'confirm')
    for (const _ of ['a scanner', 'and the person']) {
      const page = await library.request({ url })
      expect([page.status, page.headers['referrer-policy']]).toEqual([200, 'same-origin'])
      expect(page.headers['cache-control']).toBe('no-store')
      expect(page.text).toContain(
        `The account ${person.user.username} in Catenary uses ${email.toLowerCase()}`,
      )
      expect(page.text).not.toMatch(/(href|src)="https?:/)
    }
    expect(await mailState(person)).toMatchObject({ ownAddressState: 'waiting' })
    expect((await press(url)).text).toContain('Email address confirmed')
    expect(await mailState(person)).toMatchObject({ ownAddressState: 'confirmed' })
    const [, result] = await library.arrived(2)
    expect(result).toMatchObject({ headers: { subject: 'Letter: completed' } })
    expect(result?.headers['list-unsubscribe']).toBeUndefined()
    expect((await sendAgain(person)).body).toMatchObject({ error: 'This address needs no confirmation' })
  })

  test('a link works once', async () => {
    const { person, question } = await registerStranger()
    const url = linkIn(question, 'confirm')
    await press(url)
    await press(linkIn(question, 'unsubscribe'))
    expect(await mailState(person)).toMatchObject({ ownAddressState: 'refused' })
    for (const reply of [await press(url), await library.request({ url })]) {
      expect(reply.text).toContain('This link has already been used')
      expect(reply.text).not.toContain('<form')
    }
    expect(await mailState(person)).toMatchObject({ ownAddressState: 'refused' })
  })

  test('a link expires after a week, and gives a new one', async () => {
    const { person, question } = await registerStranger()
    const url = linkIn(question, 'confirm')
    library.moveClock(7 * DAY + 1000)
    expect((await library.request({ url })).text).toContain('This link has expired')
    expect(await library.arrived(1)).toEqual([question])
    expect((await press(url)).text).toContain('A new link is on its way')
    expect(await mailState(person)).toMatchObject({ ownAddressState: 'waiting' })
    const [, second] = await library.arrived(2)
    expect((await press(linkIn(second, 'confirm'))).text).toContain('Email address confirmed')
  })

  test('changing the account’s address starts over, and the old link is dead', async () => {
    const { person, question } = await registerStranger()
    const url = linkIn(question, 'confirm')
    const email = `moved${accounts}@elsewhere.example`
    const moveTo = (email: string) =>
      library.db.update(users).set({ email }).where(eq(users.id, person.user.id))
    await moveTo(email)
    for (const reply of [await library.request({ url }), await press(url)]) {
      expect([reply.status, reply.text.includes('This link no longer works')]).toEqual([404, true])
    }
    expect((await sendAgain(person)).body).toMatchObject({ ownAddress: email, ownAddressState: 'waiting' })
    const asked = `select object_id from activity where kind = 'mail.asked' and person_id = $1`
    const id = person.user.id
    expect((await library.client.pool.query(asked, [id])).rows).toEqual([{ object_id: id }])
    await press(linkIn((await library.arrived(2))[1], 'confirm'))
    expect(await mailState(person)).toMatchObject({ ownAddressState: 'confirmed' })
    await moveTo(`again-${email}`)
    expect(await mailState(person)).toMatchObject({ ownAddressState: 'waiting' })
  })

  test('its reader can say that the account is not theirs, and is not asked again', async () => {
    const { person, email, question } = await registerStranger()
    const url = linkIn(question, 'unsubscribe')
    expect((await library.request({ url })).text).toContain('Not your account?')
    expect((await press(url)).text).toContain('You won’t get these emails any more')
    const again = await sendAgain(person)
    expect([again.status, again.body]).toEqual([409, { error: 'The recipient asked for no more email' }])
    const find = await runFor(person, [email])
    expect(await find()).toMatchObject({ emailStatus: 'failed', recipients: [{ state: 'refused' }] })
    await library.arrived(1)
  })

  test('a mailbox is asked three times a day, by any accounts and with any plus sign', async () => {
    const { person, email } = await registerStranger()
    expect((await sendAgain(person)).status).toBe(200)
    const plus = email.toLowerCase().replace('@', '+x@')
    const other = await library.registerUser({ username: `plus${accounts}`, email: plus })
    await library.arrived(3)
    for (const as of [person, other]) {
      const reply = await sendAgain(as)
      expect([reply.status, Number(reply.headers['retry-after']) > 0]).toEqual([429, true])
      expect(reply.body).toMatchObject({
        error: 'Too many confirmation emails were sent today. Try again tomorrow.',
      })
    }
    await library.arrived(3)
    library.moveClock(DAY + 1000)
    expect((await sendAgain(person)).status).toBe(200)
    await library.arrived(4)
  })

  test('another account’s address is asked like anyone’s, by three accounts a day', async () => {
    const { person, email, question } = await registerStranger()
    await press(linkIn(question, 'confirm'))
    const others = [library.owner, library.other]
    for (const _ of ['', ''])
      others.push(await library.registerUser({ email: `o${Math.random()}@corp.example` }))
    await library.arrived(3)
    library.server.mail.mails.length = 0
    for (const as of others) {
      const chain = await library.buildChain(['Write.'], { as })
      const made = await library.schedule(chain.id, { emailRecipients: [email] }, as)
      expect((await library.find(made, as)).recipients).toEqual([{ address: email, state: 'asked' }])
    }
    const questions = await library.arrived(3)
    expect(questions.map(({ headers }) => headers.subject)).toContain('May Olga email you results?')
    expect(await mailState(person)).toMatchObject({ ownAddressState: 'confirmed' })
  })

  test('administrators see whose address is confirmed; theirs needs no question', async () => {
    const { person, question } = await registerStranger()
    const stateOf = async (of: TestUser) => {
      const reply = await library.request({ url: '/api/admin/users', as: library.admin })
      return (reply.body as ManagedUser[]).find(({ id }) => id === of.user.id)?.addressState
    }
    expect([await stateOf(person), await stateOf(library.admin)]).toEqual(['waiting', null])
    await press(linkIn(question, 'confirm'))
    expect(await stateOf(person)).toBe('confirmed')
    expect((await library.request({ method: 'POST', url: '/api/mail/confirmation' })).status).toBe(401)
  })
})

test('the secret of a link is in no line of the log', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'debug', destination: { write: (line) => lines.push(line) } })
  const app = await startApp({ log })
  for (const kind of ['confirm', 'unsubscribe']) {
    for (const method of ['GET', 'POST'] as const) {
      await app.request({ method, url: `/api/mail/${kind}/v1.canary` })
    }
  }
  await app.close()
  expect(lines.filter((line) => line.includes('/api/mail/confirm/:token')).length).toBeGreaterThan(1)
  expect(lines.join('\n')).not.toContain('canary')
})
