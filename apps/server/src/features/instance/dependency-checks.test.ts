import { afterEach, describe, expect, test } from 'vitest'
import { createMail } from '../../platform/mail/mail.ts'
import { createOutbound, OutboundError } from '../../platform/outbound/outbound.ts'
import { type MailServer, startMailServer, toSmtpUrl } from '../../testing/mail-server.ts'
import { trustTestCertificate } from '../../testing/trusted-certificate.ts'
import { checkMail, checkOutbound } from './dependency-checks.ts'

describe('the check of the outgoing-fetch guard', () => {
  test('The test dashboard checks the outgoing-fetch guard, even where FETCH_ALLOW_HOSTS names an address.', async () => {
    for (const allowHosts of [[], ['localhost', '10.0.0.1', '127.0.0.1:8080']]) {
      expect(await checkOutbound(createOutbound({ allowHosts }))).toEqual({
        status: 'ok',
        message: 'Refused all 11 addresses that are not on the public internet',
      })
    }
  })

  test('fails and names each address that is let through, reached or not', async () => {
    const leaking = {
      fetchText: async ({ url }: { url: string }) => {
        if (url.includes('//169.')) return { status: 200, contentType: '', text: 'secret', url }
        throw new OutboundError(url.includes('//[::1]') ? 'unreachable' : 'blocked', 'No')
      },
    }
    expect(await checkOutbound(leaking)).toEqual({
      status: 'failed',
      message: 'Not refused: [::1], 169.254.169.254',
    })
  })
})

describe('the check of mail', () => {
  let server: MailServer | undefined
  trustTestCertificate()
  afterEach(() => server?.close())

  test('is off while SMTP_URL is not set', async () => {
    const message = 'Not set up: SMTP_URL is not set'
    expect(await checkMail(createMail({ smtpUrl: undefined }))).toEqual({ status: 'off', message })
  })

  test('The test dashboard checks mail: that the server accepts the sign-in, or why it does not.', async () => {
    server = await startMailServer()
    const check = (password?: string) =>
      checkMail(
        createMail({ smtpUrl: toSmtpUrl({ port: server?.port ?? 0, ...(password && { password }) }) }),
      )
    expect(await check()).toEqual({
      status: 'ok',
      message: 'The mail server is ready to accept email',
    })
    expect(await check('secret')).toEqual({
      status: 'failed',
      message: 'The mail server refused the user or the password in SMTP_URL (it answered 535)',
    })
  })
})
