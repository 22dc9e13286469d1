import { createServer } from 'node:tls'
import { TEST_CERTIFICATE } from './test-certificate.ts'

/** A server of syslog over TLS, with the test certificate: its address, and what arrived. */
export async function startSyslogServer() {
  const received: string[] = []
  const server = createServer(TEST_CERTIFICATE, (socket) => {
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (text: string) => void received.push(text))
    socket.on('end', () => socket.end())
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `tls://localhost:${port}`, received, close: () => void server.close() }
}
