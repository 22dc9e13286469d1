import { createTransport } from 'nodemailer'
import { MailError, toMailError } from './mail-error.ts'

/** For each of: finding it, connecting, its greeting, every later answer. */
const TIMEOUT_MS = 5_000

export type Mail = ReturnType<typeof createMail>

interface MailOptions {
  /** SMTP_URL; absent where mail is not set up. */
  smtpUrl: string | undefined
  timeoutMs?: number
}

/** The mail server that SMTP_URL names. */
export function createMail({ smtpUrl, timeoutMs = TIMEOUT_MS }: MailOptions) {
  return {
    isSetUp: smtpUrl !== undefined,

    /** Connects, secures the connection where the server offers it, and signs in. Throws MailError. */
    async verify(): Promise<void> {
      if (smtpUrl === undefined) throw new MailError('SMTP_URL is not set')
      const transport = createTransport({
        url: smtpUrl,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        dnsTimeout: timeoutMs,
      })
      try {
        await transport.verify()
      } catch (error) {
        throw toMailError(error)
      } finally {
        transport.close()
      }
    },
  }
}
