import type { Clock } from '../../platform/models/retry.ts'

/** Waits that pass at once and are written down; a limit on time ends when a test lets its time pass. */
export type ManualClock = Clock & { waits: number[]; pass(ms: number): void }

/** Makes a clock that stands still. */
export function createManualClock(): ManualClock {
  const waits: number[] = []
  const running = new Set<{ left: number; onEnd: () => void }>()
  return {
    waits,
    now: () => performance.now(),
    sleep: async ({ ms }) => void waits.push(ms),
    countDown({ ms, onEnd }) {
      const countdown = { left: ms, onEnd }
      running.add(countdown)
      return {
        restart() {
          countdown.left = ms
          running.add(countdown)
        },
        cancel: () => void running.delete(countdown),
      }
    },
    pass(ms) {
      for (const countdown of running) {
        countdown.left -= ms
        if (countdown.left > 0) continue
        running.delete(countdown)
        countdown.onEnd()
      }
    },
  }
}
