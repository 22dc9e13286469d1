import { setTimeout as delay } from 'node:timers/promises'
import { onePerApp } from '../../platform/context.ts'
import type { ServiceClient } from '../../platform/outbound/service-client.ts'
import type { TraceRequest } from './otlp.ts'

const CALL_MS = 10_000
const REPLY_BYTES = 16_384
/** Between two tries of a process while the collector is away; doubled each time. */
const FIRST_PAUSE_MS = 500
const LAST_PAUSE_MS = 60_000
/** What is wrong with the spans themselves: they would be refused each time. */
const REFUSALS = [400, 413, 422]

export class TraceRefusedError extends Error {}

/** The operator's own collector, which all senders of this process leave alone while it is away; undefined where none is set. */
export const traceCollector = onePerApp(({ serviceClient, settings: { traces } }) =>
  traces === undefined ? undefined : createCollector(serviceClient, traces),
)

function createCollector(
  serviceClient: ServiceClient,
  { endpoint, headers }: { endpoint: string; headers: Record<string, string> },
) {
  const url = tracesUrl(endpoint)
  let pauseMs = 0
  /** As `performance.now()`. */
  let nextTryAt = 0

  const waitMs = () => nextTryAt - performance.now()

  function failed(): void {
    // Of several that fail together, one makes the pause longer.
    if (performance.now() < nextTryAt) return
    pauseMs = Math.min(Math.max(pauseMs * 2, FIRST_PAUSE_MS), LAST_PAUSE_MS)
    nextTryAt = performance.now() + pauseMs
  }

  async function call(request: TraceRequest, signal: AbortSignal) {
    return serviceClient.call({
      url,
      method: 'POST',
      headers,
      json: JSON.stringify(request),
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
      maxBytes: REPLY_BYTES,
    })
  }

  return {
    /** Throws TraceRefusedError, or else what is to be tried again; both say what the collector answered, and no text of a run. */
    async send(request: TraceRequest, signal: AbortSignal): Promise<void> {
      for (let ms = waitMs(); ms > 0; ms = waitMs()) await delay(ms, undefined, { signal })
      const reply = await call(request, signal).catch((error: unknown) => {
        failed()
        throw new Error('The trace collector could not be reached', { cause: error })
      })
      if (REFUSALS.includes(reply.status))
        throw new TraceRefusedError(`The trace collector answered ${reply.status}`)
      if (reply.status < 200 || reply.status >= 300) {
        failed()
        throw new Error(`The trace collector answered ${reply.status}`)
      }
      pauseMs = 0
      nextTryAt = 0
      const rejected = rejectedSpans(reply.body)
      if (rejected > 0) throw new TraceRefusedError(`The trace collector left out ${rejected} spans`)
    },
  }
}

/** As OpenTelemetry's exporters do: what is set is the base. */
function tracesUrl(endpoint: string): URL {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/v1\/traces$/, '')}/v1/traces`
  return url
}

/** What a collector that took the rest says; other replies mean that all was taken. */
function rejectedSpans(body: Buffer): number {
  try {
    const reply = JSON.parse(body.toString('utf8')) as { partialSuccess?: { rejectedSpans?: unknown } } | null
    return Number(reply?.partialSuccess?.rejectedSpans ?? 0) || 0
  } catch {
    return 0
  }
}
