import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { TEST_CERTIFICATE } from './test-certificate.ts'

const MAIL_USER = 'catenary'
/** With a character that a URL must escape. */
const MAIL_PASSWORD = 'p@ss/word'

export interface ReceivedMail {
  to: string[]
  /** By name in lower case. */
  headers: Record<string, string>
  text: string
  html: string
}

export interface MailServer {
  port: number
  /** Sign-ins that were accepted, each with whether it came over TLS. */
  signIns: { secure: boolean }[]
  /** What it took, oldest first. */
  mails: ReceivedMail[]
  /** Answers to addresses that it does not take, such as 550. */
  refused: Map<string, number>
  /** Reads what it is sent, and never answers, so many times. */
  hangs: number
  /** Reads what it is sent, and cuts the connection, so many times. */
  cuts: number
  close(): Promise<void>
}

interface MailServerOptions {
  scheme?: 'smtp' | 'smtps'
  port?: number
}

/** A real SMTP server on a free port of this machine; `smtps` begins with TLS, `smtp` offers it. */
export async function startMailServer({
  scheme = 'smtp',
  port = 0,
}: MailServerOptions = {}): Promise<MailServer> {
  const state = { signIns: [] as MailServer['signIns'], mails: [] as ReceivedMail[], hangs: 0, cuts: 0 }
  const refused = new Map<string, number>()
  const server = new SMTPServer({
    ...TEST_CERTIFICATE,
    secure: scheme === 'smtps',
    logger: false,
    closeTimeout: 100,
    onAuth({ username, password }, { secure }, done) {
      if (username !== MAIL_USER || password !== MAIL_PASSWORD)
        return done(new Error('Wrong user or password'))
      state.signIns.push({ secure })
      done(null, { user: username })
    },
    onRcptTo({ address }, _session, done) {
      const responseCode = refused.get(address)
      done(
        responseCode === undefined ? null : Object.assign(new Error('No such user here'), { responseCode }),
      )
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (state.hangs > 0) {
          state.hangs -= 1
          return
        }
        if (state.cuts > 0) {
          state.cuts -= 1
          for (const socket of sockets) socket.destroy()
          return
        }
        const to = envelope.rcptTo.map(({ address }) => address)
        state.mails.push({ to, ...readMail(Buffer.concat(chunks).toString('utf8')) })
        done()
      })
    },
  })
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  // A client that hangs up is no failure of the server.
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return Object.assign(state, {
    refused,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  })
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

/** What nodemailer writes: a multipart of text and HTML. */
function readMail(raw: string): Omit<ReceivedMail, 'to'> {
  const headers = readHeaders(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const parts = raw
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => part.trimStart())
  const partOf = (type: string) => parts.find((part) => readHeaders(part)['content-type']?.startsWith(type))
  return { headers, text: readBody(partOf('text/plain')), html: readBody(partOf('text/html')) }
}

function readHeaders(part: string): Record<string, string> {
  const [head = ''] = part.split('\r\n\r\n', 1)
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  return Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
}

function readBody(part = ''): string {
  const body = part.slice(part.indexOf('\r\n\r\n') + 4)
  const encoding = readHeaders(part)['content-transfer-encoding']
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8').replaceAll('\r\n', '\n')
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n')
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}
