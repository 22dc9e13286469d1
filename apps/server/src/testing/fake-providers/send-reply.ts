import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FakeAnswer, FakeReply, FakeVendor, FakeWire } from './fake-reply.ts'
import { errorBody } from './wires.ts'

const TEXT_MARK = '\u241eTEXT\u241e'
const ENDLESS_PIECE = 'endless '.repeat(128)

interface SendOptions {
  response: ServerResponse
  vendor: FakeVendor
  wire: FakeWire
  reply: FakeReply
  answer: FakeAnswer
  streamed: boolean
}

/** Writes one scripted reply. */
export async function sendReply(options: SendOptions): Promise<void> {
  const { response, vendor, reply, answer, streamed } = options
  if (reply.status !== undefined && reply.status !== 200) {
    const asked = reply.retryAfter === undefined ? {} : { 'retry-after': reply.retryAfter }
    const headers = { ...asked, ...reply.headers }
    response.writeHead(reply.status, { 'content-type': 'application/json', ...headers })
    if (reply.raw !== undefined) return void response.end(reply.raw)
    const message = reply.message ?? `Fake failure ${reply.status}`
    response.end(JSON.stringify(errorBody({ ...reply, vendor, status: reply.status, message })))
    return
  }
  const beforeAnyByte = reply.text === undefined && (reply.fault === 'reset' || reply.fault === 'silence')
  if (beforeAnyByte) return strike(options)
  const contentType = reply.contentType ?? (streamed ? 'text/event-stream' : 'application/json')
  response.writeHead(200, { 'content-type': contentType, ...reply.headers })
  response.flushHeaders()
  await reply.beforeAnyByte?.()
  if (reply.fault === 'no-body') return void response.end()
  if (reply.raw !== undefined) return void response.end(reply.raw)
  if (streamed) return sendStream(options)
  if (reply.delayMs) await sleep(reply.delayMs)
  await reply.before?.(0)
  if (reply.fault === undefined || reply.fault === 'error-event') {
    return void response.end(JSON.stringify(options.wire.json(answer)))
  }
  const whole = JSON.stringify(options.wire.json({ ...answer, pieces: [TEXT_MARK] }))
  await write({ response, bytes: whole.slice(0, whole.indexOf(TEXT_MARK)) + answer.pieces.join('') })
  await strike(options)
}

async function sendStream(options: SendOptions): Promise<void> {
  const { response, wire, reply, answer } = options
  const faultFirst = reply.text === undefined && reply.fault !== undefined
  const send = (events: string) => writeEvents({ response, reply, events })
  if (!faultFirst) {
    await send(wire.opening(answer))
    for (const [index, text] of answer.pieces.entries()) {
      if (reply.delayMs) await sleep(reply.delayMs)
      await reply.before?.(index)
      if (response.destroyed) return
      await send(wire.piece({ text, answer }))
    }
  } else if (reply.fault !== 'malformed') {
    await send(wire.opening(answer))
  }
  if (reply.fault !== undefined) return strike(options)
  await send(wire.closing(answer))
  response.end()
}

async function strike({ response, wire, reply, answer, streamed }: SendOptions): Promise<void> {
  switch (reply.fault) {
    case 'reset':
      // Bytes still on their way would be dropped with the connection.
      await sleep(20)
      response.socket?.resetAndDestroy()
      return
    case 'malformed':
      response.end(streamed ? 'data: {"type": not json}\n\n' : '{"type": not json')
      return
    case 'error-event':
      response.end(wire.errorEvent({ message: 'Fake failure inside the stream', ...reply }))
      return
    case 'endless': {
      const bytes = streamed ? wire.piece({ text: ENDLESS_PIECE, answer }) : `${ENDLESS_PIECE}\n`
      while (!response.destroyed) await write({ response, bytes })
      return
    }
    case 'endless-line':
      await write({ response, bytes: streamed ? 'data: "' : '"' })
      while (!response.destroyed) await write({ response, bytes: ENDLESS_PIECE })
      return
    case 'silence':
      await reply.onSilence?.()
      return
    default:
      response.end()
  }
}

async function writeEvents({
  response,
  reply: { rewrite, bytesAtOnce = Number.POSITIVE_INFINITY },
  events,
}: Pick<SendOptions, 'response' | 'reply'> & { events: string }): Promise<void> {
  const bytes = Buffer.from(rewrite?.(events) ?? events)
  for (let at = 0; at < bytes.length; at += bytesAtOnce) {
    await write({ response, bytes: bytes.subarray(at, at + bytesAtOnce) })
  }
}

async function write({
  response,
  bytes,
}: {
  response: ServerResponse
  bytes: string | Uint8Array
}): Promise<void> {
  if (response.destroyed || bytes.length === 0) return
  if (response.write(bytes)) return
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}
