import { createTransport } from 'nodemailer'
import { MailError, toMailError } from './mail-error.ts'
import type { RenderedMessage } from './mail-message.ts'

/** For each of: resolving its name, connecting, its greeting, every later reply. */
const TIMEOUT_MS = 5_000
/** A server scans what it was sent before it accepts it. */
const SEND_TIMEOUT_MS = 60_000

export type Mail = ReturnType<typeof createMail>

interface MailOptions {
  smtpUrl: string | undefined
  from?: string | undefined
  timeoutMs?: number
  sendTimeoutMs?: number
}

export interface OutgoingMail {
  /** The same for each try, so that who gets it twice can see it. */
  id: string
  to: string
  message: RenderedMessage
  /** Where one click asks for no more of them. */
  unsubscribeUrl?: string | undefined
  signal?: AbortSignal | undefined
}

export function createMail({
  smtpUrl,
  from,
  timeoutMs = TIMEOUT_MS,
  sendTimeoutMs = SEND_TIMEOUT_MS,
}: MailOptions) {
  function connect(socketTimeout: number) {
    if (smtpUrl === undefined) throw new MailError('SMTP_URL is not set')
    return createTransport({
      url: smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      socketTimeout,
    })
  }

  return {
    isSetUp: smtpUrl !== undefined,

    async verify(): Promise<void> {
      const transport = connect(timeoutMs)
      try {
        await transport.verify()
      } catch (error) {
        throw toMailError(error)
      } finally {
        transport.close()
      }
    },

    /** Resolves once the server has taken it for its one recipient. Throws MailError. */
    async send({ id, to, message, unsubscribeUrl, signal }: OutgoingMail): Promise<void> {
      const transport = connect(sendTimeoutMs)
      const cut = () => transport.close()
      const isBegun = watchText(transport)
      signal?.addEventListener('abort', cut)
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          ...message,
          messageId: `<${id}@${hostOf(from)}>`,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl !== undefined && {
              'List-Unsubscribe': `<${unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
      } catch (error) {
        throw toMailError(error, { isBegun: isBegun() })
      } finally {
        signal?.removeEventListener('abort', cut)
        transport.close()
      }
    },
  }
}

/** Tells whether the text has begun to go out: it is piped once the server has let it. */
function watchText(transport: ReturnType<typeof createTransport>): () => boolean {
  let isBegun = false
  transport.use('stream', ({ message }, done) => {
    const open = message.createReadStream.bind(message)
    message.createReadStream = (...options) => {
      const source = open(...options)
      const pipe = source.pipe.bind(source)
      source.pipe = (...to) => {
        isBegun = true
        return pipe(...to)
      }
      return source
    }
    done()
  })
  return () => isBegun
}

function hostOf(from: string | undefined): string {
  return /@([^<>\s]+?)>?$/.exec(from ?? '')?.[1] ?? 'localhost'
}
