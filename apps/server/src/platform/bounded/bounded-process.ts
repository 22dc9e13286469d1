import { fork } from 'node:child_process'
import { once } from 'node:events'
import { endFirst } from './first-to-end.ts'

const WORKER = new URL('./bounded-worker.ts', import.meta.url)
const MEMORY_MB = 256
/** A process that does not end by itself, as nothing interrupts the engine's own functions, is killed this much later. */
const GRACE_MS = 1_000
export const WAIT_FACTOR = 6
/** With which a process ends itself once it has used its time of the processor. */
export const USED_UP = 'SIGVTALRM'

export interface ProcessTask {
  module: string
  input: unknown
  limitMs: number
  /** The limit is of processor time: on a busy machine it may take `WAIT_FACTOR` times as long. */
  byProcessor?: boolean
}

export type ProcessAnswer =
  | { kind: 'ready' }
  | { kind: 'begun' }
  | { kind: 'late' }
  /** What the work alone took, by the clock that its limit is of. */
  | { kind: 'done'; output: unknown; tookMs: number }
  | { kind: 'failed'; error: unknown; tookMs: number }

export type TaskEnd =
  | Exclude<ProcessAnswer, { kind: 'ready' } | { kind: 'begun' }>
  | { kind: 'died' }
  | { kind: 'left' }

export type BoundedProcess = Awaited<ReturnType<typeof startProcess>>

export async function startProcess() {
  const child = fork(WORKER, {
    env: {},
    // The program's own flags, such as those of tests, are not for a process with limits of its own.
    execArgv: [`--max-old-space-size=${MEMORY_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  endFirst(child)
  const gone = new Promise<void>((resolve) => {
    child.once('exit', resolve).once('error', () => resolve())
  })
  await once(child, 'message')
  // It does not keep the program alive.
  child.unref()
  child.channel?.unref()

  async function ask(task: ProcessTask, signal: AbortSignal): Promise<TaskEnd> {
    const { promise, resolve } = Promise.withResolvers<TaskEnd>()
    let timer: NodeJS.Timeout | undefined
    const hear = (answer: ProcessAnswer) => {
      if (answer.kind === 'begun') {
        const waitMs = task.byProcessor ? WAIT_FACTOR * task.limitMs : task.limitMs
        timer = setTimeout(() => stop({ kind: 'late' }), waitMs + GRACE_MS)
      } else if (answer.kind !== 'ready') resolve(answer)
    }
    const stop = (end: TaskEnd) => {
      child.kill('SIGKILL')
      resolve(end)
    }
    const abandon = () => stop({ kind: 'left' })
    const die = (_code?: number | null, cause?: string | null) =>
      resolve({ kind: cause === USED_UP ? 'late' : 'died' })
    child.on('message', hear).once('exit', die)
    signal.addEventListener('abort', abandon, { once: true })
    try {
      child.send(task, (error) => error && die())
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abandon)
      child.off('message', hear).off('exit', die)
    }
  }

  return {
    ask,
    isAlive: () => !child.killed && child.exitCode === null && child.signalCode === null,
    gone,
    async end(): Promise<void> {
      child.kill('SIGKILL')
      await gone
    },
  }
}
