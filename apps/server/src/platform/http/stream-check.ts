import { setTimeout as delay } from 'node:timers/promises'
import { STREAM_CHECK_GAP_MS, type StreamCheckEvent } from '@catenary/contracts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { type ServerEvent, sendEventStream } from './event-stream.ts'

const PER_ADDRESS_A_MINUTE = 12
const OPEN_MAX = 50

/** Counted by the address, so that nobody has to be known. */
export const STREAM_CHECK_LIMIT = {
  rateLimit: {
    max: PER_ADDRESS_A_MINUTE,
    timeWindow: '1 minute',
    keyGenerator: ({ ip }: FastifyRequest) => ip,
  },
}

/**
 * Two events with a pause between them, so that `doctor` sees from outside whether a proxy forwards streams as they
 * arrive. Open to everyone: it only reports how the call itself arrived, and uses neither database nor model.
 */
export function createStreamCheck() {
  let open = 0
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (open >= OPEN_MAX)
      throw new AppError('too_many', 'Too many checks at once. Try again in a moment.', { retryAfter: 1 })
    open += 1
    reply.raw.once('close', () => (open -= 1))
    return sendEventStream(reply, twoEvents(describeCall(request)))
  }
}

function describeCall({ headers, ips }: FastifyRequest): StreamCheckEvent {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join().split(',')
  return {
    forwarded: forwarded.filter((address) => address.trim() !== '').length,
    // The first is who connected.
    believed: Math.max(0, (ips?.length ?? 0) - 1),
    authorization: headers.authorization !== undefined,
  }
}

async function* twoEvents(data: StreamCheckEvent): AsyncGenerator<ServerEvent> {
  yield { event: 'first', data }
  await delay(STREAM_CHECK_GAP_MS)
  yield { event: 'second', data }
}
