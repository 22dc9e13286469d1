import { ModelError } from './model-error.ts'

export const MAX_RETRIES = 3
const BASE_DELAY_MS = 500
/** The longest wait before a try where only the call itself waits. */
export const MAX_RETRY_AFTER_MS = 30_000

export interface Clock {
  /** Monotonic milliseconds: only differences mean something. */
  now(): number
  /** Resolves after the time, rejects with the signal's reason at once when it aborts. */
  sleep(options: { ms: number; signal?: AbortSignal }): Promise<void>
  countDown(options: { ms: number; onEnd: () => void }): Countdown
}

export interface Countdown {
  restart(): void
  cancel(): void
}

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

/** The wait before the next try, of at most `mostMs`; throws the error to report when there is none. */
export function retryDelay({
  error,
  retries,
  random,
  mostMs,
}: {
  error: ModelError
  retries: number
  random: () => number
  mostMs: number
}): number {
  if (!error.retryable || retries >= MAX_RETRIES) throw error
  const asked = error.retryAfterMs ?? 0
  if (asked > mostMs) throw askedTooMuch(error, asked)
  const backoff = BASE_DELAY_MS * 2 ** retries
  return Math.max(asked, backoff / 2 + (backoff / 2) * random())
}

export function askedTooMuch(
  { code, alias, status, plain, quoted, used }: ModelError,
  askedMs: number,
): ModelError {
  return new ModelError({
    code,
    alias,
    status,
    retryAfterMs: askedMs,
    used,
    message: `${plain} It asks callers to wait ${Math.ceil(askedMs / 1000)} s.`,
    quoted,
  })
}
