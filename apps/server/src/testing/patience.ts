import { vi } from 'vitest'

/** For what is on its way: on a busy machine the library's one second says nothing. */
const PATIENCE_MS = 10_000

const { waitFor } = vi

// Each test file of a worker comes by here.
if (waitFor.name !== 'waitPatiently')
  vi.waitFor = function waitPatiently(callback, options = PATIENCE_MS) {
    return waitFor(callback, options)
  }
