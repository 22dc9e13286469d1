import type { ScheduledRun } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { scheduledRuns } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'

trustTestCertificate()
const MINUTE = 60_000
/** Random: ids of rows come again in a restored copy, and receivers drop the second in silence. */
const MESSAGE_ID = /^<[\da-f-]{36}@example\.org>$/
const BOSS = 'boss@example.com'

describe.each(routeDatabaseKinds)('mail of schedules on %s', (kind) => {
  let library: ScheduleLibrary
  beforeAll(async () => {
    library = await startScheduleLibrary(kind, { settings: { mailsPerHour: 25 } })
    await library.app.start()
  })
  afterAll(() => library.close())
  beforeEach(() => library.server.mail.refused.clear())
  afterEach(() => library.reset())

  const runOnce = async (fields: Parameters<ScheduleLibrary['schedule']>[1]): Promise<ScheduledRun> => {
    const made = await library.scheduleNew(fields)
    await library.passNext(made)
    return made
  }

  test('A mail has the result as text and as HTML without remote parts, with links to the run and the schedule.', async () => {
    const markdown = [
      '# Title <script>alert(1)</script>',
      '| a | b |\n|---|---|\n| 1 | 2 |',
      '[bad](javascript:alert(1)) [good](https://example.org) ![pixel](https://evil.example/p.png)',
      '<img src="https://evil.example/q.png"> **bold** ü',
    ].join('\n\n')
    library.fake.reply({ text: [markdown] })
    const made = await runOnce({ name: 'Weekly report', emailRecipients: [BOSS] })
    const [mail] = await library.arrived(1)
    const [mark] = await library.marks(made, [{ emailStatus: 'sent' }])
    const run = `http://localhost/chains/${made.chainId}?history=open&run=${mark?.executionId}`
    const stop = `http://localhost/chains/${made.chainId}/scheduled?schedule=${made.id}`
    expect(mail?.headers).toMatchObject({
      ...{ subject: 'Weekly report: completed', to: BOSS, from: 'Catenary <catenary@example.org>' },
      'auto-submitted': 'auto-generated',
    })
    expect(mail?.text).toContain(markdown)
    for (const form of [mail?.text, mail?.html]) {
      expect(form).toContain('scheduled by Olga')
      expect(form?.replaceAll('&amp;', '&')).toContain(run)
      expect(form).toContain(stop)
    }
    expect(mail?.html).toContain('<td dir="auto">1</td>')
    expect(mail?.html).toContain('<strong>bold</strong> ü')
    expect(mail?.html).toContain('href="https://example.org"')
    expect(mail?.html).not.toMatch(
      /<(img|script|link|iframe|object)\b|<[^>]*\s(src|background)=|javascript:/i,
    )
  })

  test('A failure is mailed with its step and reason.', async () => {
    const chain = await library.buildChain([
      { content: 'One.', title: 'Draft' },
      { content: 'Two {{a}}', title: 'Polish' },
    ])
    const made = await library.schedule(chain.id, {
      name: 'A\u2028Bcc: x@example.com',
      emailRecipients: [BOSS],
    })
    library.fake.reply({ text: ['first'] }, { status: 400 })
    await library.passNext(made)
    const mails = await library.arrived(2)
    const mail = mails.find(({ to }) => to.includes(BOSS))
    expect(mail?.text).toContain('It failed at step 2, ‘Polish’.')
    const [mark] = await library.marks(made, [{ state: 'failed', emailStatus: 'sent' }])
    expect(mail?.text).toContain(`Reason: ${mark?.reason}`)
    expect(mail?.headers.bcc).toBeUndefined()
    expect(mail?.to).toEqual([BOSS])
    expect(mails.flatMap(({ to }) => to)).toContain(library.owner.user.email)
  })

  test('A skipped run is mailed only if that was chosen.', async () => {
    const hourly = { isRecurring: true, recurringType: 'hourly' as const, emailRecipients: [BOSS] }
    for (const mailsSkipped of [false, true]) {
      const made = await library.startStuck({ ...hourly, mailsSkipped })
      await library.passNext(made)
      const emailStatus = mailsSkipped ? 'sent' : null
      const [running] = await library.marks(made, [{}, { state: 'skipped', emailStatus }])
      await library.post(`/api/executions/${running?.executionId}/cancel`)
      await library.marks(made, [{ state: 'failed', emailStatus: null }, {}])
      await library.db.delete(scheduledRuns)
    }
    const [mail] = await library.arrived(1)
    expect(mail?.headers.subject).toBe('Letter: skipped')
    expect(mail?.text).toContain('The previous run was still running')
  })

  test('a refused recipient among good ones: the others get it, and the reason is stored with the address', async () => {
    library.server.mail.refused.set('gone@example.com', 550)
    const made = await runOnce({ emailRecipients: [BOSS, 'gone@example.com', 'cfo@example.com'] })
    const reason = 'gone@example.com: The mail server refused the address (it answered 550)'
    await library.marks(made, [{ state: 'completed', emailStatus: 'failed', emailReason: reason }])
    const mails = await library.arrived(2)
    expect(mails.flatMap(({ to }) => to).toSorted()).toEqual([BOSS, 'cfo@example.com'])
    const refusedForNow = 451
    library.server.mail.refused.set('gone@example.com', refusedForNow)
    const again = await runOnce({ emailRecipients: ['gone@example.com'] })
    const later = `gone@example.com: The mail server refused the address (it answered ${refusedForNow})`
    await library.marks(again, [{ emailStatus: 'pending', emailReason: later }])
    library.server.mail.refused.clear()
    await library.wake()
    await library.marks(again, [{ emailStatus: 'sent', emailReason: null }])
  })

  test('a server that is down for most of an hour: all is sent afterwards, once', async () => {
    const { port } = library.server.mail
    await library.server.mail.close()
    const recipients = [BOSS, 'cfo@example.com', 'cto@example.com']
    const made = await runOnce({ emailRecipients: recipients })
    const emailReason = `${BOSS}: The mail server refused the connection`
    await library.marks(made, [
      { state: 'completed', emailStatus: 'pending', emailReason: expect.stringContaining(emailReason) },
    ])
    for (const _ of [1, 2, 3]) await library.pass(19 * MINUTE)
    library.server.mail = await startMailServer({ port })
    await library.wake()
    await library.marks(made, [{ emailStatus: 'sent', emailReason: null }])
    const mails = await library.arrived(3)
    expect(mails.flatMap(({ to }) => to).toSorted()).toEqual(recipients.toSorted())
  })

  test('A mail server’s trouble is retried for an hour; then emailStatus is failed, with the reason (D36).', async () => {
    const { port } = library.server.mail
    await library.server.mail.close()
    const made = await runOnce({ emailRecipients: [BOSS] })
    const emailReason = `${BOSS}: The mail server refused the connection`
    await library.marks(made, [{ emailStatus: 'pending', emailReason }])
    await library.pass(61 * MINUTE)
    await library.marks(made, [{ emailStatus: 'failed', emailReason }])
    library.server.mail = await startMailServer({ port })
    await library.wake()
    await vi.waitFor(async () => {
      const { rows } = await library.db.execute(sql`select 1 from jobs where queue = 'mails'`)
      expect(rows).toEqual([])
    })
    expect(library.server.mail.mails).toEqual([])
  })

  test('What waited while nothing ran, or was queued by a clock that was ahead, is sent: it has its hour from the start on.', async () => {
    const { port } = library.server.mail
    for (const hours of [-12, 12]) {
      await library.server.mail.close()
      const made = await runOnce({ emailRecipients: [BOSS] })
      await library.marks(made, [{ emailStatus: 'pending', emailReason: expect.stringContaining(BOSS) }])
      await library.db.execute(
        sql`update mail_recipients set queued_at = queued_at + make_interval(hours => ${hours})`,
      )
      // This process has begun just now.
      library.moveClock(-60 * MINUTE)
      library.server.mail = await startMailServer({ port })
      await library.wake()
      await library.marks(made, [{ emailStatus: 'sent', emailReason: null }])
    }
  })

  test('A schedule has at most 20 recipients, an account 100 mails an hour.', async () => {
    const recipients = Array.from({ length: 20 }, (_, n) => `a${n}@example.com`)
    const runNow = async (emailRecipients: string[]) => {
      const made = await library.scheduleNew({ emailRecipients })
      expect((await library.post(`/api/scheduled-runs/${made.id}/execute`)).status).toBe(201)
      return made
    }
    await runNow(recipients)
    await library.arrived(20)
    const second = await runNow(recipients.slice(0, 7))
    const [mark] = await library.marks(second, [{ emailStatus: 'failed' }])
    expect(mark?.emailReason).toMatch(/^a\d+@example\.com: More than 25 emails within an hour\n/)
    await library.arrived(25)
    library.moveClock(61 * MINUTE)
    await library.marks(await runNow(recipients.slice(0, 3)), [{ emailStatus: 'sent' }])
  })

  test('An administrator can send a test mail.', async () => {
    const test = () => library.request({ method: 'POST', url: '/api/admin/mail/test', as: library.admin })
    expect((await test()).body).toMatchObject({ ok: true, to: library.admin.user.email, error: null })
    const [mail] = await library.arrived(1)
    expect(mail).toMatchObject({
      to: [library.admin.user.email],
      headers: { subject: 'Test email from Catenary' },
    })
    library.server.mail.refused.set(library.admin.user.email, 550)
    expect((await test()).body).toMatchObject({
      ...{ ok: false, error: 'The mail server refused the address (it answered 550)' },
    })
  })
})

describe('two installations that send under the same MAIL_FROM', () => {
  test('have no Message-ID in common, though the ids of their rows are the same; nor have a person’s tests', async () => {
    const ids: (string | undefined)[] = []
    for (let installation = 0; installation < 2; installation += 1) {
      const library = await startScheduleLibrary('embedded')
      await library.app.start()
      const made = await library.scheduleNew({ emailRecipients: [BOSS, 'other@example.com'] })
      await library.passNext(made)
      for (const { headers } of await library.arrived(2)) ids.push(headers['message-id'])
      await library.request({ method: 'POST', url: '/api/admin/mail/test', as: library.admin })
      ids.push((await library.arrived(3)).at(-1)?.headers['message-id'])
      await library.close()
    }
    for (const id of ids) expect(id).toMatch(MESSAGE_ID)
    expect(new Set(ids).size).toBe(6)
  })
})

describe('a server that hangs in the middle of DATA', () => {
  test('A mail’s `Message-ID` is random and stays the same at each try: no other installation or restored copy repeats it.', async () => {
    const library = await startScheduleLibrary('embedded', { sendTimeoutMs: 1_000 })
    await library.app.start()
    library.server.mail.hangs = 2
    const made = await library.scheduleNew({ emailRecipients: [BOSS] })
    await library.passNext(made)
    const emailReason = `${BOSS}: The mail server did not answer in time`
    await library.marks(made, [{ emailStatus: 'pending', emailReason }])
    await vi.waitFor(async () => {
      await library.wake()
      expect((await library.find(made)).emailStatus).toBe('sent')
    })
    const [mail] = await library.arrived(1)
    expect(mail?.headers['message-id']).toMatch(MESSAGE_ID)
    await library.close()
  })
})

describe('without SMTP_URL', () => {
  test('Without SMTP_URL schedules run all the same, and the form is told (D36).', async () => {
    const library = await startScheduleLibrary('embedded', { hasMail: false })
    await library.app.start()
    const { body } = await library.request({ url: '/api/mail', as: library.owner })
    expect(body).toMatchObject({ isSetUp: false })
    const made = await library.scheduleNew({ emailRecipients: [BOSS] })
    await library.passNext(made)
    await library.marks(made, [{ state: 'completed', emailStatus: null }])
    const test = await library.request({ method: 'POST', url: '/api/admin/mail/test', as: library.admin })
    expect(test.body).toMatchObject({ ok: false, error: 'SMTP_URL is not set' })
    await library.close()
  })
})
