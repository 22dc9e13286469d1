import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { TEST_CERTIFICATE } from './test-certificate.ts'

const MAIL_USER = 'catenary'
/** With a character that a URL must escape. */
const MAIL_PASSWORD = 'p@ss/word'

export interface MailServer {
  port: number
  /** Sign-ins that were accepted, each with whether it came over TLS. */
  signIns: { secure: boolean }[]
  close(): Promise<void>
}

/** A real SMTP server on a free port of this machine; `smtps` begins with TLS, `smtp` offers it. */
export async function startMailServer({
  scheme = 'smtp',
}: {
  scheme?: 'smtp' | 'smtps'
} = {}): Promise<MailServer> {
  const signIns: { secure: boolean }[] = []
  const server = new SMTPServer({
    ...TEST_CERTIFICATE,
    secure: scheme === 'smtps',
    logger: false,
    onAuth({ username, password }, { secure }, done) {
      if (username !== MAIL_USER || password !== MAIL_PASSWORD)
        return done(new Error('Wrong user or password'))
      signIns.push({ secure })
      done(null, { user: username })
    },
  })
  // A client that hangs up is no failure of the server.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    signIns,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** An SMTP_URL for a server of this machine. */
export function toSmtpUrl({
  port,
  scheme = 'smtp',
  password = MAIL_PASSWORD,
}: {
  port: number
  scheme?: 'smtp' | 'smtps'
  password?: string
}): string {
  return `${scheme}://${MAIL_USER}:${encodeURIComponent(password)}@localhost:${port}`
}
