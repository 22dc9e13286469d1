import { setPriority } from 'node:os'
import { createContext, Script } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { type ProcessAnswer, type ProcessTask, USED_UP, WAIT_FACTOR } from './bounded-process.ts'

const PRIORITY = 10

const send = (answer: ProcessAnswer) => process.send?.(answer)

// Only what is called through a script can be stopped by time.
const place: { run?: () => unknown } = createContext({})
const script = new Script('run()')

/** Milliseconds of processor time of this process at which the work is ended, 0 where nothing is watched. */
const end = new Int32Array(new SharedArrayBuffer(4))
/**
 * While the work keeps the engine busy, a thread looks at what the process has used. It judges by the one number
 * that it has read: had it read a second time, work that is done in between would be judged by the 0.
 */
const WATCH = `
  const { workerData: { end, signal } } = require('node:worker_threads')
  for (;;) {
    const endsAt = Atomics.load(end, 0)
    const { user, system } = process.cpuUsage()
    if (endsAt > 0 && (user + system) / 1000 > endsAt && Atomics.load(end, 0) === endsAt)
      process.kill(process.pid, signal)
    Atomics.wait(end, 0, endsAt, endsAt > 0 ? 50 : Infinity)
  }`
let watcher: Worker | undefined

function usedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function watch(limitMs: number): void {
  watchUntil(Math.ceil(usedMs()) + limitMs)
  watcher ??= new Worker(WATCH, { eval: true, workerData: { end, signal: USED_UP } })
  watcher.unref()
}

function watchUntil(ms: number): void {
  Atomics.store(end, 0, ms)
  Atomics.notify(end, 0)
}

process.on('message', async ({ module, input, limitMs, byProcessor = false }: ProcessTask) => {
  const { default: work }: { default: (input: unknown) => unknown } = await import(module)
  setPriority(PRIORITY)
  send({ kind: 'begun' })
  place.run = () => work(input)
  const clock = byProcessor ? usedMs : () => performance.now()
  const begunAt = clock()
  if (byProcessor) watch(limitMs)
  try {
    const timeout = byProcessor ? WAIT_FACTOR * limitMs : limitMs
    const output = script.runInContext(place, { timeout })
    watchUntil(0)
    send({ kind: 'done', output, tookMs: clock() - begunAt })
  } catch (error) {
    watchUntil(0)
    const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    send(isLate ? { kind: 'late' } : { kind: 'failed', error, tookMs: clock() - begunAt })
  }
})
// The program is gone.
process.on('disconnect', () => process.exit())
send({ kind: 'ready' })
