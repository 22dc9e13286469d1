import { TEST_IMPORT_MAX } from '@catenary/contracts'
import type { TaskOf } from '../../platform/bounded/bounded-work.ts'

/** A large file takes a second; none needs more than this on a busy machine. */
const LIMIT_MS = 5_000

export const READ_SUITE: TaskOf<typeof import('./read-suite-task.ts')> = {
  module: new URL('./read-suite-task.ts', import.meta.url),
  what: 'Reading the file',
  limitMs: LIMIT_MS,
  sizeOf: ({ text }) => text.length,
  sizeMax: TEST_IMPORT_MAX,
}

/** A suite as promptfoo's YAML; how large it may be, its own bounds say. */
export const WRITE_SUITE: TaskOf<typeof import('./write-suite-task.ts')> = {
  module: new URL('./write-suite-task.ts', import.meta.url),
  what: 'Writing the file',
  limitMs: LIMIT_MS,
  sizeOf: ({ cases }) => cases.length,
  sizeMax: Number.POSITIVE_INFINITY,
}
