import { hostname } from 'node:os'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'

const DEADLINE_MS = 10_000
/** Of TLS, where the address names none (RFC 5425). */
const PORT = 6514
/** Log audit. */
const FACILITY = 13
const SEVERITIES = { warning: 4, notice: 5 } as const
const MESSAGE_ID_MAX = 32

export interface SyslogMessage {
  at: string
  severity: keyof typeof SEVERITIES
  /** What kind of message it is, in ASCII without spaces. */
  messageId: string
  text: string
}

interface SyslogOptions {
  /** Such as tls://logs.example.org:6514. */
  url: string
  signal?: AbortSignal | undefined
  ca?: ConnectionOptions['ca']
}

/**
 * Sends the messages in their order over one connection. It resolves once all are written and the server has ended the
 * connection too, as syslog has no other receipt; otherwise it throws, and some may have arrived.
 */
export async function sendSyslog(
  messages: readonly SyslogMessage[],
  { url, signal, ca }: SyslogOptions,
): Promise<void> {
  const { hostname: host, port } = new URL(url)
  const servername = host.replace(/^\[|\]$/g, '')
  const socket = connect({
    host: servername,
    port: port === '' ? PORT : Number(port),
    servername,
    ...(ca !== undefined && { ca }),
  })
  const stop = () => socket.destroy(new Error('the program stops'))
  signal?.addEventListener('abort', stop)
  socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error(`${host} did not answer within 10 seconds`)))
  try {
    await writeAll(socket, messages.map(frame))
  } finally {
    signal?.removeEventListener('abort', stop)
    socket.destroy()
  }
}

function writeAll(socket: TLSSocket, frames: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let isWritten = false
    socket.once('error', reject)
    socket.once('secureConnect', () =>
      socket.end(frames.join(''), () => {
        isWritten = true
      }),
    )
    // What a server says is read and left.
    socket.resume()
    socket.once('close', () => (isWritten ? resolve() : reject(new Error('the connection was cut'))))
  })
}

/** RFC 5424, with its length before it (RFC 5425). */
function frame({ at, severity, messageId, text }: SyslogMessage): string {
  const priority = FACILITY * 8 + SEVERITIES[severity]
  const id = messageId.slice(0, MESSAGE_ID_MAX)
  const message = `<${priority}>1 ${at} ${hostname()} catenary - ${id} - \uFEFF${text}`
  return `${Buffer.byteLength(message)} ${message}`
}
