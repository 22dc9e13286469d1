/**
 * A function that has `run` called soon: at once after a pause, else `ms()` after the call before began, and never
 * while one goes on. What is due meanwhile is done by the next call.
 */
export function atIntervals({ ms, run }: { ms: () => number; run: () => Promise<void> }): () => void {
  let isDue = false
  let isRunning = false
  let timer: NodeJS.Timeout | undefined
  let beganAt = Number.NEGATIVE_INFINITY

  function due(): void {
    isDue = true
    if (timer !== undefined || isRunning) return
    timer = setTimeout(call, Math.max(0, beganAt + ms() - performance.now())).unref()
  }

  async function call(): Promise<void> {
    timer = undefined
    isDue = false
    isRunning = true
    beganAt = performance.now()
    try {
      await run()
    } finally {
      isRunning = false
      if (isDue) due()
    }
  }

  return due
}
