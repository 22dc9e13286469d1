import { afterEach, describe, expect, test } from 'vitest'
import { startSyslogServer } from '../../testing/syslog-server.ts'
import { TEST_CERTIFICATE } from '../../testing/test-certificate.ts'
import { sendSyslog } from './syslog.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function startServer() {
  const { close, ...server } = await startSyslogServer()
  closers.push(close)
  return server
}

const MESSAGE = {
  at: '2026-11-22T08:00:00.000Z',
  severity: 'notice',
  messageId: 'account.signed_in',
  text: '{"name":"Zoë"}',
} as const

describe('syslog over TLS', () => {
  test('Messages have the form of RFC 5424, each with its length in bytes before it, in their order.', async () => {
    const { url, received } = await startServer()
    const refused = { ...MESSAGE, severity: 'warning', messageId: 'x'.repeat(40) } as const
    await sendSyslog([MESSAGE, refused], { url, ca: TEST_CERTIFICATE.cert })
    let rest = Buffer.from(received.join(''))
    const messages: string[] = []
    while (rest.length > 0) {
      const space = rest.indexOf(' ')
      const length = Number(rest.subarray(0, space).toString())
      messages.push(rest.subarray(space + 1, space + 1 + length).toString())
      rest = rest.subarray(space + 1 + length)
    }
    expect(messages).toEqual([
      expect.stringMatching(
        /^<109>1 2026-11-22T08:00:00\.000Z \S+ catenary - account\.signed_in - \uFEFF\{"name":"Zoë"\}$/,
      ),
      expect.stringMatching(/^<108>1 \S+ \S+ catenary - x{32} - /),
    ])
  })

  test('A server whose certificate nobody vouches for is sent nothing.', async () => {
    const { url, received } = await startServer()
    await expect(sendSyslog([MESSAGE], { url })).rejects.toThrow(/self-signed certificate/)
    expect(received).toEqual([])
  })

  test('a server that is away is a failure', async () => {
    await expect(sendSyslog([MESSAGE], { url: 'tls://localhost:1' })).rejects.toThrow(/ECONNREFUSED/)
  })
})
