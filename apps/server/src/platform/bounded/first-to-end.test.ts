import { expect, test } from 'vitest'
import { createBoundedWork, type TaskOf } from './bounded-work.ts'

const READ: TaskOf<typeof import('./testing/read-oom-score.ts')> = {
  module: new URL('./testing/read-oom-score.ts', import.meta.url),
  what: 'Reading the score',
  limitMs: 5_000,
  sizeOf: () => 1,
  sizeMax: 1,
}

test.runIf(process.platform === 'linux')(
  'where memory runs out, a bounded process ends before the program',
  async () => {
    const work = createBoundedWork()
    try {
      expect(await work.open({ owner: 1 }).run(READ, '')).toBe(1_000)
    } finally {
      await work.close()
    }
  },
)
