import { readRetryAfter } from '../outbound/retry-after.ts'
import type { ProviderError } from './provider-error.ts'

const SECOND_MS = 1_000
const DAY_MS = 86_400_000
/** A reset says when all of a limit is free again: some of it is long before. */
const RESET_MAX_MS = 30_000

/** When OpenAI's and Anthropic's limits are whole again: a duration such as `6m0s`, or a date. */
const RESETS = [
  'x-ratelimit-reset-requests',
  'x-ratelimit-reset-tokens',
  'anthropic-ratelimit-requests-reset',
  'anthropic-ratelimit-tokens-reset',
  'anthropic-ratelimit-input-tokens-reset',
  'anthropic-ratelimit-output-tokens-reset',
]
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo'

/**
 * For how many milliseconds a provider asks to be left alone: as its `Retry-After` says, Gemini's `retryDelay`, or else
 * its resets. At most a day; undefined where it says nothing that can be read. `now` is a `Date.now()`.
 */
export function askedWait({
  refusal: { status, headers, body },
  now,
}: {
  refusal: Pick<ProviderError, 'status' | 'headers' | 'body'>
  now: number
}): number | undefined {
  const asked = retryAfter({ headers, now }) ?? retryDelayIn(body)
  if (asked !== undefined) return Math.min(asked, DAY_MS)
  if (status !== 429) return undefined
  const resets = RESETS.flatMap((name) => untilReset({ value: String(headers[name]), now }) ?? [])
  return resets.length === 0 ? undefined : Math.min(Math.max(...resets), RESET_MAX_MS)
}

function retryAfter({ headers, now }: Pick<ProviderError, 'headers'> & { now: number }): number | undefined {
  const milliseconds = Number.parseFloat(String(headers['retry-after-ms']))
  if (milliseconds >= 0) return milliseconds
  return readRetryAfter({ value: String(headers['retry-after']), now })
}

/** What Gemini says in the body, in seconds such as `34.07s`. */
function retryDelayIn(body: string): number | undefined {
  if (!body.includes(RETRY_INFO)) return undefined
  try {
    const [reply] = [JSON.parse(body)].flat() as { error?: { details?: unknown } }[]
    const details = [reply?.error?.details ?? []].flat() as Record<string, unknown>[]
    const delay = details.find((detail) => detail?.['@type'] === RETRY_INFO)?.retryDelay
    return typeof delay === 'string' ? durationOf(delay) : undefined
  } catch {
    return undefined
  }
}

function untilReset({ value, now }: { value: string; now: number }): number | undefined {
  // Some servers of OpenAI's API leave the unit out.
  return durationOf(value) ?? readRetryAfter({ value, now })
}

const UNITS_MS = { d: DAY_MS, h: 3_600_000, m: 60_000, s: SECOND_MS, ms: 1 }
const DURATION = /^(\d+(\.\d+)?(ms|[dhms]))+$/

function durationOf(value: string): number | undefined {
  if (value.length > 40 || !DURATION.test(value)) return undefined
  const parts = value.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)
  return [...parts].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS],
    0,
  )
}
