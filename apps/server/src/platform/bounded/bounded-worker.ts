import { setPriority } from 'node:os'
import { createContext, Script } from 'node:vm'
import type { ProcessAnswer, ProcessTask } from './bounded-process.ts'

/** Untrusted work runs at a lower priority than the program. */
const PRIORITY = 10

const send = (answer: ProcessAnswer) => process.send?.(answer)

// Only what is called through a script can be stopped by time.
const place: { run?: () => unknown } = createContext({})
const script = new Script('run()')

process.on('message', async ({ module, input, limitMs }: ProcessTask) => {
  const { default: work }: { default: (input: unknown) => unknown } = await import(module)
  setPriority(PRIORITY)
  send({ kind: 'begun' })
  place.run = () => work(input)
  try {
    send({ kind: 'done', output: script.runInContext(place, { timeout: limitMs }) })
  } catch (error) {
    const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    send(isLate ? { kind: 'late' } : { kind: 'failed', error })
  }
})
// The program is gone.
process.on('disconnect', () => process.exit())
send({ kind: 'ready' })
