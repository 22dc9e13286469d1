import { expect, vi } from 'vitest'

/**
 * For what is on its way. A machine that others share can take twenty times as long as a quiet one, so that a limit of
 * a test's own says how busy it was; whoever names a shorter one waits so long too.
 */
export const PATIENCE_MS = 60_000

const { waitFor } = vi
const { poll } = expect

// Each test file of a worker comes by here.
if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(callback, options = {}) {
    return waitFor(callback, patient(typeof options === 'number' ? { timeout: options } : options))
  }
  expect.poll = (read, options = {}) => poll(read, patient(options))
}

function patient<Options extends { timeout?: number }>(options: Options): Options {
  return { ...options, timeout: Math.max(options.timeout ?? 0, PATIENCE_MS) }
}
