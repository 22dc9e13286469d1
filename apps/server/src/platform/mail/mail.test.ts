import { setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { serveSocket } from '../../testing/local-server.ts'
import { startMailServer, toSmtpUrl } from '../../testing/mail-server.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'
import { createMail } from './mail.ts'
import { MailError } from './mail-error.ts'

const strangers = trustTestCertificate()

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function started<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const server = await starting
  ends.push(server.close)
  return server
}

const verify = (smtpUrl: string | undefined) => createMail({ smtpUrl, timeoutMs: 1000 }).verify()
const failure = (message: string) => expect.objectContaining({ name: MailError.name, message })

describe('a mail server is verified', () => {
  test.each(['smtp', 'smtps'] as const)('by signing in over TLS, by %s', async (scheme) => {
    const server = await started(startMailServer({ scheme }))
    await verify(toSmtpUrl({ port: server.port, scheme }))
    expect(server.signIns).toEqual([{ secure: true }])
  })

  test('by its greeting alone where SMTP_URL names no user', async () => {
    const server = await started(startMailServer())
    await verify(`smtp://localhost:${server.port}`)
    expect(server.signIns).toEqual([])
  })
})

describe('a mail server is refused', () => {
  test('with a wrong password, which is not repeated', async () => {
    const server = await started(startMailServer())
    const failed = verify(toSmtpUrl({ port: server.port, password: 'secret' }))
    await expect(failed).rejects.toEqual(
      failure('The mail server refused the user or the password in SMTP_URL (it answered 535)'),
    )
    expect(server.signIns).toEqual([])
  })

  test.each(['smtp', 'smtps'] as const)('with an untrusted certificate, by %s', async (scheme) => {
    setDefaultCACertificates(strangers)
    const server = await started(startMailServer({ scheme }))
    const failed = verify(toSmtpUrl({ port: server.port, scheme }))
    await expect(failed).rejects.toEqual(failure('The certificate of the mail server is not trusted'))
    expect(server.signIns).toEqual([])
  })

  test('when smtps meets a port that begins in the clear', async () => {
    const server = await started(startMailServer())
    const failed = verify(toSmtpUrl({ port: server.port, scheme: 'smtps' }))
    const message = 'The connection could not be secured: smtps:// is for ports that begin with TLS'
    await expect(failed).rejects.toEqual(failure(message))
  })

  test.each([
    { is: 'is silent', says: 'The mail server did not answer in time', greeting: '' },
    {
      is: 'is busy',
      says: 'What answered is not a mail server, or it isn’t ready (it answered 421)',
      greeting: '421 busy',
    },
    {
      is: 'is a web server',
      says: 'What answered is not a mail server, or it isn’t ready',
      greeting: 'HTTP/1.1 400 Bad',
    },
  ])('when it $is', async ({ says, greeting }) => {
    const server = await started(
      serveSocket((socket) => socket.resume().write(greeting === '' ? '' : `${greeting}\r\n\r\n`)),
    )
    await expect(verify(toSmtpUrl(server))).rejects.toEqual(failure(says))
    await expect.poll(server.open).toBe(0)
  })

  test('when it hangs up, is not there, or has no name', async () => {
    const server = await started(serveSocket((socket) => socket.resetAndDestroy()))
    await expect(verify(toSmtpUrl(server))).rejects.toEqual(failure('The mail server cut the connection'))
    await server.close()
    await expect(verify(toSmtpUrl(server))).rejects.toEqual(failure('The mail server refused the connection'))
    await expect(verify('smtp://mail.invalid')).rejects.toEqual(
      failure('The name of the mail server could not be found'),
    )
  })

  test('when SMTP_URL is not set', async () => {
    expect(createMail({ smtpUrl: undefined }).isSetUp).toBe(false)
    await expect(verify(undefined)).rejects.toEqual(failure('SMTP_URL is not set'))
  })
})
