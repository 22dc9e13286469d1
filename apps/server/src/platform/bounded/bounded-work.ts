import { FairSemaphore } from '../../limits/fair-semaphore.ts'
import { type BoundedProcess, startProcess, type TaskEnd } from './bounded-process.ts'
import { WorkRefused } from './work-refused.ts'

/** Each person has one at a time: another's task finds one, or waits for one task of each who came before. */
const PROCESSES = 2
/** An idle process gives its memory back. */
const IDLE_MS = 60_000

interface BoundedTask<Input, Output> {
  module: URL
  what: string
  limitMs: number
  /** The limit is of processor time, not of what passes meanwhile: for a text whose work is known to be long. */
  byProcessor?: boolean
  sizeOf: (input: Input) => number
  sizeMax: number
  /** Names the type of the output. */
  output?: Output
}

export type TaskOf<Module extends { default: (input: never) => unknown }> = BoundedTask<
  Parameters<Module['default']>[0],
  ReturnType<Module['default']>
>

export interface Call {
  owner: number | undefined
  signal?: AbortSignal | undefined
  limitMs?: number
}

interface BoundedCall {
  /** Rejects with `WorkRefused` where a bound is met, and with the error that the work throws. */
  run: <Input, Output>(task: BoundedTask<Input, Output>, input: Input) => Promise<Output>
}

export interface BoundedWork {
  open: (call: Call) => BoundedCall
  close: () => Promise<void>
}

export function createBoundedWork(): BoundedWork {
  const permits = new FairSemaphore(PROCESSES, { most: 1 })
  const idle = new Map<BoundedProcess, NodeJS.Timeout>()
  const closing = new AbortController()

  async function takeProcess(): Promise<BoundedProcess> {
    for (const [free, timer] of idle) {
      clearTimeout(timer)
      idle.delete(free)
      if (free.isAlive()) return free
    }
    return startProcess()
  }

  async function giveProcessBack(used: BoundedProcess, releasePermit: () => void): Promise<void> {
    if (closing.signal.aborted) await used.end()
    else if (used.isAlive()) rest(used)
    else {
      await used.gone
      await startProcess().then(rest, () => {})
    }
    releasePermit()
  }

  function rest(free: BoundedProcess): void {
    const end = () => {
      idle.delete(free)
      void free.end()
    }
    if (closing.signal.aborted) end()
    else idle.set(free, setTimeout(end, IDLE_MS).unref())
  }

  return {
    open({ owner, signal, limitMs: callMs = Number.POSITIVE_INFINITY }) {
      let leftMs = callMs
      const isOver = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal])

      async function run<Input, Output>(task: BoundedTask<Input, Output>, input: Input): Promise<Output> {
        const { module, what, sizeOf, sizeMax } = task
        if (sizeOf(input) > sizeMax) throw tooLarge(task)
        const givePlaceBack = await permits.acquire(owner, isOver)
        if (givePlaceBack === undefined) throw left(what)
        const limitMs = Math.min(task.limitMs, Math.floor(leftMs))
        const hasTime = limitMs > 0
        let end: TaskEnd = hasTime ? { kind: 'left' } : { kind: 'late' }
        if (hasTime && !isOver.aborted) {
          const process = await takeProcess().catch((error: unknown) => {
            givePlaceBack()
            throw error
          })
          const { byProcessor = false } = task
          end = await process.ask({ module: module.href, input, limitMs, byProcessor }, isOver)
          leftMs -= 'tookMs' in end ? end.tookMs : limitMs
          void giveProcessBack(process, givePlaceBack)
        } else givePlaceBack()
        switch (end.kind) {
          case 'done':
            return end.output as Output
          case 'failed':
            throw isTooDeep(end.error)
              ? new WorkRefused('depth', `${what}: it is nested too deep`)
              : end.error
          case 'late':
            throw tooLong(what, {
              limitMs: limitMs < task.limitMs ? callMs : task.limitMs,
              byProcessor: task.byProcessor,
            })
          case 'died':
            throw new WorkRefused('memory', `${what} took too much memory and was ended`)
          case 'left':
            throw left(what)
        }
      }

      return { run }
    },

    async close() {
      closing.abort()
      await Promise.all([...idle.keys()].map((free) => free.end()))
    },
  }
}

function tooLarge({ what, sizeMax }: { what: string; sizeMax: number }): WorkRefused {
  return new WorkRefused('size', `${what}: more than ${sizeMax.toLocaleString('en')} characters`)
}

function tooLong(
  what: string,
  { limitMs, byProcessor = false }: { limitMs: number; byProcessor?: boolean | undefined },
): WorkRefused {
  const time = `${limitMs.toLocaleString('en')} ms${byProcessor ? ' of processor time' : ''}`
  return new WorkRefused('time', `${what} took more than ${time} and was ended`)
}

const left = (what: string): WorkRefused => new WorkRefused('left', `${what} was ended: nobody waits for it`)

/** V8's error for a full stack, from any parser. */
function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack')
}
