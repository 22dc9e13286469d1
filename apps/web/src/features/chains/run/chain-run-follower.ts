import type { SeenRunState } from '@catenary/contracts'
import { ApiError, isAbort } from '../../../lib/errors.ts'
import type { ChainRunTexts } from './chain-run-texts.ts'
import { readRunState, watchRun } from './chain-runs.queries.ts'

const STATUS_POLL_MS = 2000
/** A run that waits for a person is asked for so seldom, and only where its stream tells nothing. */
const POLLS_LEFT_OUT = 14
/** Waits before the stream is asked for again; the last one is kept to. */
const RECONNECT_MS = [500, 1000, 2000, 5000, 10_000]

export interface FollowOptions {
  id: number
  texts: ChainRunTexts
  onState: (state: SeenRunState) => void
  onError: (error: unknown) => void
}

/**
 * Polls every two seconds, and reads the event stream, which may be missing. The result stops it. While the run waits
 * for a person, the stream alone is followed.
 */
export function followRun({ id, texts, onState, onError }: FollowOptions): () => void {
  const abort = new AbortController()
  const { signal } = abort
  let reports = 0
  let isAsking = false
  let isWaiting = false
  let isWatched = false
  let leftOut = 0

  const report = (state: SeenRunState) => {
    if (signal.aborted) return
    reports += 1
    if (state.status !== 'running') end()
    isWaiting = state.waitingFor != null
    onState(state)
  }
  const poll = async () => {
    if (isAsking) return
    isAsking = true
    const reportsBefore = reports
    try {
      const state = await readRunState({ id, signal })
      // What the stream reported meanwhile is newer.
      if (reports === reportsBefore) report(state)
    } catch (error) {
      // An unavailable server comes back.
      if (signal.aborted || (error instanceof ApiError && error.status === 503)) return
      end()
      onError(error)
    } finally {
      isAsking = false
    }
  }
  /** Resolves when the stream breaks off; true if there is no point in asking again. */
  const watch = async (onEvent: () => void): Promise<boolean> => {
    try {
      for await (const message of watchRun({ id, signal })) {
        onEvent()
        isWatched = true
        if (message.event === 'state') report(message.data)
        if (message.event === 'delta' && !texts.write(message.data)) return false
        if (message.event === 'end') return true
      }
      return false
    } catch (error) {
      return isAbort(error) || (error instanceof ApiError && error.status < 500)
    } finally {
      isWatched = false
    }
  }
  const watchOn = async () => {
    let tries = 0
    while (!signal.aborted) {
      const isOver = await watch(() => {
        tries = 0
      })
      if (isOver || signal.aborted) break
      await pause({ ms: RECONNECT_MS[Math.min(tries, RECONNECT_MS.length - 1)] ?? 0, signal })
      tries += 1
    }
    // Access may have been withdrawn: the status says so at once.
    if (!signal.aborted) void poll()
  }

  const timer = setInterval(() => {
    leftOut = isWaiting && (isWatched || leftOut < POLLS_LEFT_OUT) ? leftOut + 1 : 0
    if (leftOut === 0) void poll()
  }, STATUS_POLL_MS)
  const end = () => {
    clearInterval(timer)
    abort.abort()
  }
  void poll()
  void watchOn()
  return end
}

function pause({ ms, signal }: { ms: number; signal: AbortSignal }): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
