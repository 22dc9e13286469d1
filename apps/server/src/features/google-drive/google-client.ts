import type { ServiceCall, ServiceClient, ServiceReply } from '../../platform/outbound/service-client.ts'
import { googleFailed } from './drive-errors.ts'

const TIMEOUT_MS = 10_000
const ANSWER_MAX_BYTES = 1_048_576

export interface GoogleSettings {
  clientId: string
  clientSecret: string
  oauthUrl: string
  tokenUrl: string
  driveUrl: string
}

type GoogleCall = Omit<ServiceCall, 'signal' | 'maxBytes'> & {
  signal?: AbortSignal | undefined
  maxBytes?: number
}

export type CallGoogle = (call: GoogleCall) => Promise<ServiceReply>

/** One bounded call; throws `upstream` when no whole reply comes in time, and the caller's own reason when it stops. */
export function createCallGoogle(client: Pick<ServiceClient, 'call'>): CallGoogle {
  return async ({ signal, maxBytes = ANSWER_MAX_BYTES, ...call }) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const signals = signal === undefined ? [timeout] : [timeout, signal]
    try {
      return await client.call({ ...call, maxBytes, signal: AbortSignal.any(signals) })
    } catch (error) {
      signal?.throwIfAborted()
      const isLate = timeout.aborted
      throw googleFailed(
        isLate ? `Google did not answer within ${TIMEOUT_MS / 1000} s` : 'Google could not be reached',
        error,
      )
    }
  }
}

export function readJson({ body }: ServiceReply): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
