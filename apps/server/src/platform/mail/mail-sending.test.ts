import { afterAll, afterEach, expect, test } from 'vitest'
import { serveSocket } from '../../testing/local-server.ts'
import { startMailServer, toSmtpUrl } from '../../testing/mail-server.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'
import { createBoundedWork } from '../bounded/bounded-work.ts'
import { createMail } from './mail.ts'
import { type MailMessage, renderMessage } from './mail-message.ts'

trustTestCertificate()

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function started<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const server = await starting
  ends.push(server.close)
  return server
}

const letter: MailMessage = { subject: 'Hi', paragraphs: ['One & two'], markdown: '*three*', links: [] }
const bounded = createBoundedWork()
afterAll(() => bounded.close())

const render = (fields: Partial<MailMessage> = {}) =>
  renderMessage({ ...letter, ...fields }, { bounded, owner: 1 })
const send = async (smtpUrl: string, fields: Partial<MailMessage> = {}, signal?: AbortSignal) =>
  createMail({ smtpUrl, from: 'Catenary <c@example.org>', timeoutMs: 2_000 }).send({
    ...{ id: '1.2', to: 'boss@example.com', message: await render(fields), signal },
  })

test.each(['smtp', 'smtps'] as const)('Mail goes over TLS and signs in. (%s)', async (scheme) => {
  const server = await started(startMailServer({ scheme }))
  await send(toSmtpUrl({ port: server.port, scheme }))
  expect(server.signIns).toEqual([{ secure: true }])
  expect(server.mails).toMatchObject([{ to: ['boss@example.com'], text: 'One & two\n\n*three*\n\n' }])
  expect(server.mails[0]?.headers['message-id']).toBe('<1.2@example.org>')
  expect(server.mails[0]?.html).toContain(
    '<p dir="auto">One &amp; two</p><article><p dir="auto"><em>three</em></p></article>',
  )
})

test('a subject can’t add a header', async () => {
  const server = await started(startMailServer())
  await send(toSmtpUrl(server), { subject: 'Hi\r\nBcc: x@example.com\r\n\r\nbody' })
  expect(server.mails[0]?.to).toEqual(['boss@example.com'])
  expect(server.mails[0]?.headers.bcc).toBeUndefined()
})

test('a refusal of the address is final where the server says so', async () => {
  const server = await started(startMailServer())
  for (const [code, isFinal] of [
    [550, true],
    [451, false],
  ] as const) {
    server.refused.set('boss@example.com', code)
    const message = `The mail server refused the address (it answered ${code})`
    await expect(send(toSmtpUrl(server))).rejects.toMatchObject({ name: 'MailError', message, isFinal })
  }
  await expect(send(toSmtpUrl({ port: server.port, password: 'wrong' }))).rejects.toMatchObject({
    ...{ message: expect.stringContaining('refused the user or the password'), isFinal: false },
  })
  expect(server.mails).toEqual([])
})

test('a signal cuts the connection', async () => {
  const server = await started(serveSocket((socket) => socket.resume()))
  const stop = new AbortController()
  const sending = send(toSmtpUrl(server), {}, stop.signal)
  await expect.poll(server.open).toBe(1)
  stop.abort()
  await expect(sending).rejects.toMatchObject({ name: 'MailError' })
  await expect.poll(server.open).toBe(0)
})

test('a very long result is cut, and says so', async () => {
  const { text, html } = await render({ markdown: 'word '.repeat(100_000) })
  for (const form of [text, html]) {
    expect(form).toContain('… (cut here: the run has all of it)')
    expect(form.length).toBeLessThan(260_000)
  }
})
