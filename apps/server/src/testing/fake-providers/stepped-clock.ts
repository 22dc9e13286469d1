import type { Clock } from '../../platform/models/retry.ts'

/** Time that passes only as a test lets it. */
export type SteppedClock = Clock & { pass(ms: number): Promise<void> }

interface Timer {
  at: number
  onEnd: () => void
}

/** Lets what was woken go on: it may start timers of its own. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
}

/** Makes a clock that stands still between steps; what is due within a step happens in order. */
export function createSteppedClock(): SteppedClock {
  const timers = new Set<Timer>()
  let now = 0
  const start = (ms: number, onEnd: () => void): Timer => {
    const timer = { at: now + ms, onEnd }
    timers.add(timer)
    return timer
  }
  return {
    now: () => now,
    sleep: ({ ms, signal }) =>
      new Promise((resolve, reject) => {
        const timer = start(ms, resolve)
        signal?.addEventListener('abort', () => {
          timers.delete(timer)
          reject(signal.reason)
        })
      }),
    countDown({ ms, onEnd }) {
      const timer = start(ms, onEnd)
      return {
        restart() {
          timer.at = now + ms
          timers.add(timer)
        },
        cancel: () => void timers.delete(timer),
      }
    },
    async pass(ms) {
      await settle()
      const end = now + ms
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (next === undefined) break
        timers.delete(next)
        now = next.at
        next.onEnd()
        await settle()
      }
      now = end
    },
  }
}
