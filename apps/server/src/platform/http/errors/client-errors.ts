import type { Socket } from 'node:net'

const ANSWERS: Record<string, { status: string; error: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', error: 'The request took too long to arrive' },
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', error: 'The headers are too large' },
  HPE_INVALID_METHOD: { status: '405 Method Not Allowed', error: 'There is no such method' },
}
const MALFORMED = { status: '400 Bad Request', error: 'This is not a valid HTTP request' }

export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, error: message } = ANSWERS[error.code ?? ''] ?? MALFORMED
  const body = JSON.stringify({ error: message })
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy()
}
