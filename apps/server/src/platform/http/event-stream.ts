import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyError, FastifyReply } from 'fastify'
import { toAppError, toErrorBody } from './errors/errors.ts'

/** Silence after which a comment is sent, so that neither client nor proxy takes a thinking model for a dead line. */
export const HEARTBEAT_MS = 5_000
const HEARTBEAT = ': waiting\n\n'
/** Says in milliseconds when to ask again: by then a proxy leads to another process. */
const COME_BACK = 'retry: 1000\n\n'

export interface ServerEvent {
  event: string
  data: unknown
}

/**
 * Sends events as `text/event-stream`, with backpressure; the source ends when the reader leaves. Written to the
 * socket directly: a stream in between costs as much as the rest of a short reply.
 */
export function sendEventStream(
  reply: FastifyReply,
  events: AsyncIterable<ServerEvent>,
  options: StreamOptions = {},
): FastifyReply {
  return sendFrames(reply, { frames: toFrames(reply, events, options), heartbeat: HEARTBEAT })
}

interface StreamOptions {
  /** A stream that ends once this aborts says when to ask again. */
  draining?: AbortSignal
}

/** What goes wrong once the status is out is the last event, in the form of a refused call. */
async function* toFrames(
  reply: FastifyReply,
  events: AsyncIterable<ServerEvent>,
  { draining }: StreamOptions,
): AsyncGenerator<string> {
  try {
    for await (const event of events) yield toFrame(event)
    if (draining?.aborted) yield COME_BACK
  } catch (error) {
    const known = toAppError(error as FastifyError)
    if (known === undefined) reply.log.error({ err: error }, 'an event stream broke off')
    yield toFrame({ event: 'error', data: toErrorBody(known) })
  }
}

function toFrame({ event, data }: ServerEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

interface Frames {
  frames: AsyncIterable<string>
  heartbeat: string
}

export function sendFrames(reply: FastifyReply, { frames, heartbeat }: Frames): FastifyReply {
  reply
    .type('text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .hijack()
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  void writeFrames(reply, { frames, heartbeat })
  return reply
}

async function writeFrames({ raw, log }: FastifyReply, { frames, heartbeat }: Frames): Promise<void> {
  const beats = setInterval(() => {
    // A client that stops reading gets no heartbeat, so that the stall shows.
    if (!raw.writableNeedDrain) raw.write(heartbeat)
  }, HEARTBEAT_MS)
  try {
    for await (const frame of frames) {
      if (raw.destroyed) return
      const hasRoom = raw.write(frame)
      beats.refresh()
      if (!hasRoom) await untilDrained(raw)
    }
    raw.end()
  } catch (error) {
    log.error({ err: error }, 'an event stream broke off')
    raw.destroy()
  } finally {
    clearInterval(beats)
  }
}

function untilDrained(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      raw.off('drain', settle).off('close', settle)
      resolve()
    }
    raw.on('drain', settle).on('close', settle)
  })
}

export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
