import { setPriority } from 'node:os'
import { createContext, Script } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { type ProcessAnswer, type ProcessTask, USED_UP, WAIT_FACTOR } from './bounded-process.ts'

const PRIORITY = 10

const send = (answer: ProcessAnswer) => process.send?.(answer)

// Only what is called through a script can be stopped by time.
const place: { run?: () => unknown } = createContext({})
const script = new Script('run()')

/** While the work keeps the engine busy, a thread looks at what the process has used. */
const WATCH = `
  const { workerData: { budget, signal } } = require('node:worker_threads')
  const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
  for (;;) {
    Atomics.wait(budget, 0, 0)
    const task = Atomics.load(budget, 1)
    const from = used()
    while (Atomics.load(budget, 0) > 0 && Atomics.load(budget, 1) === task) {
      if (used() - from > Atomics.load(budget, 0)) process.kill(process.pid, signal)
      Atomics.wait(budget, 1, task, 50)
    }
  }`
/** How much of the processor the work may use, 0 where nothing is watched; and the number of the task. */
const budget = new Int32Array(new SharedArrayBuffer(8))
let watcher: Worker | undefined

function watch(limitMs: number): void {
  watcher ??= new Worker(WATCH, { eval: true, workerData: { budget, signal: USED_UP } })
  watcher.unref()
  Atomics.store(budget, 0, limitMs)
  Atomics.add(budget, 1, 1)
  for (const place of [0, 1]) Atomics.notify(budget, place)
}

process.on('message', async ({ module, input, limitMs, byProcessor = false }: ProcessTask) => {
  const { default: work }: { default: (input: unknown) => unknown } = await import(module)
  setPriority(PRIORITY)
  send({ kind: 'begun' })
  place.run = () => work(input)
  if (byProcessor) watch(limitMs)
  try {
    const timeout = byProcessor ? WAIT_FACTOR * limitMs : limitMs
    const output = script.runInContext(place, { timeout })
    Atomics.store(budget, 0, 0)
    send({ kind: 'done', output })
  } catch (error) {
    Atomics.store(budget, 0, 0)
    const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    send(isLate ? { kind: 'late' } : { kind: 'failed', error })
  }
})
// The program is gone.
process.on('disconnect', () => process.exit())
send({ kind: 'ready' })
