import { setPriority } from 'node:os'
import { createContext, Script } from 'node:vm'
import type { ProcessAnswer, ProcessTask } from './bounded-process.ts'

/** Who only waits for strangers' text gives way to the program. */
const PRIORITY = 10

const tell = (answer: ProcessAnswer) => process.send?.(answer)

// Only what is called through a script can be stopped by time.
const place: { run?: () => unknown } = createContext({})
const script = new Script('run()')

process.on('message', async ({ module, input, limitMs }: ProcessTask) => {
  const { default: work }: { default: (input: unknown) => unknown } = await import(module)
  setPriority(PRIORITY)
  tell({ kind: 'begun' })
  place.run = () => work(input)
  try {
    tell({ kind: 'done', output: script.runInContext(place, { timeout: limitMs }) })
  } catch (error) {
    const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    tell(isLate ? { kind: 'late' } : { kind: 'failed', error })
  }
})
// The program is gone.
process.on('disconnect', () => process.exit())
tell({ kind: 'ready' })
