import { ModelError } from './model-error.ts'

/** How often a call is tried again. */
export const MAX_RETRIES = 3
const BASE_DELAY_MS = 500
const MAX_RETRY_AFTER_MS = 30_000

/** Time, as a test can replace it. */
export interface Clock {
  /** Monotonic milliseconds: only differences mean something. */
  now(): number
  /** Resolves after the time, rejects with the signal's reason at once when it aborts. */
  sleep(options: { ms: number; signal?: AbortSignal }): Promise<void>
  /** Calls back once the time has passed since the start or the latest restart. */
  countDown(options: { ms: number; onEnd: () => void }): Countdown
}

/** A limit on time, under way. */
interface Countdown {
  restart(): void
  cancel(): void
}

/** Real time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: ({ ms, signal }) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
  countDown: ({ ms, onEnd }) => {
    const timer = setTimeout(onEnd, ms)
    return { restart: () => void timer.refresh(), cancel: () => clearTimeout(timer) }
  },
}

/** The wait before the next try; throws the error to report when there is none. */
export function retryDelay({
  error,
  retries,
  random,
}: {
  error: ModelError
  retries: number
  random: () => number
}): number {
  if (!error.retryable || retries >= MAX_RETRIES) throw error
  const asked = error.retryAfterMs ?? 0
  if (asked > MAX_RETRY_AFTER_MS) {
    throw new ModelError({
      code: error.code,
      alias: error.alias,
      status: error.status,
      retryAfterMs: asked,
      message: `${error.message} It asks to wait ${Math.ceil(asked / 1000)} s.`,
    })
  }
  const backoff = BASE_DELAY_MS * 2 ** retries
  return Math.max(asked, backoff / 2 + (backoff / 2) * random())
}
