import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Silence after which a comment is sent, so that neither client nor proxy takes a thinking model for a dead line. */
const HEARTBEAT_MS = 5_000
const HEARTBEAT = ': waiting\n\n'

export interface ServerEvent {
  event: string
  data: unknown
}

/** Sends events as `text/event-stream`; a slow reader holds the source back, one that leaves ends it. */
export function sendEventStream(reply: FastifyReply, events: AsyncIterable<ServerEvent>): FastifyReply {
  return reply
    .type('text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(Readable.from(frames(events), { objectMode: false, highWaterMark: 16_384 }))
}

/** Aborts when the connection closes before the reply has ended. */
export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}

async function* frames(events: AsyncIterable<ServerEvent>): AsyncGenerator<string, void> {
  const source = events[Symbol.asyncIterator]()
  let next = source.next()
  try {
    for (;;) {
      const result = await withinHeartbeat(next)
      if (result === undefined) {
        yield HEARTBEAT
        continue
      }
      if (result.done === true) return
      yield `event: ${result.value.event}\ndata: ${JSON.stringify(result.value.data)}\n\n`
      next = source.next()
    }
  } finally {
    await source.return?.()
  }
}

/** What the promise gives, or undefined when it takes longer than a heartbeat. */
async function withinHeartbeat<T>(promise: Promise<T>): Promise<T | undefined> {
  const silence = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => silence.resolve(undefined), HEARTBEAT_MS)
  try {
    return await Promise.race([promise, silence.promise])
  } finally {
    clearTimeout(timer)
  }
}
