import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type GradedAnswer, PATTERN_LIMIT_MS } from '@catenary/contracts'
import type { GradedAssertion, Outcome } from '@catenary/domain/assertions'

const WORKER = new URL('./grading-worker.ts', import.meta.url)
/** How long other assertions than patterns may take. */
const LIMIT_MS = 1_000
const MEMORY_MB = 256

export interface GradingTask {
  assertion: GradedAssertion
  answer: GradedAnswer
}

export interface GradingThread {
  /** Fails the assertion, and says so, where it takes too long or too much memory. */
  grade: (assertion: GradedAssertion, answer: GradedAnswer) => Promise<Outcome>
  close: () => Promise<void>
}

/** Grades what may take any time in a thread that is ended when it takes too long; one after the other. */
export function createGradingThread(): GradingThread {
  let worker: Promise<Worker> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function start(): Promise<Worker> {
    const started = new Worker(WORKER, {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      // Those of the program, such as its tests', are not for a thread with limits of its own.
      execArgv: [],
    })
    started.unref()
    started.once('exit', () => {
      worker = undefined
    })
    await once(started, 'message')
    return started
  }

  async function gradeNext({ assertion, answer }: GradingTask): Promise<Outcome> {
    worker ??= start()
    const thread = await worker
    const isPattern = assertion.type === 'regex' || assertion.type === 'not-regex'
    const limitMs = isPattern ? PATTERN_LIMIT_MS : LIMIT_MS
    const outcome = await askWithin(thread, { task: { assertion, answer }, limitMs })
    if (typeof outcome === 'object') return outcome
    await thread.terminate()
    return { passed: false, score: 0, reason: WHY_ENDED[outcome](isPattern, limitMs) }
  }

  return {
    grade: (assertion, answer) => {
      const graded = last.then(() => gradeNext({ assertion, answer }))
      last = graded.catch(() => {})
      return graded
    },
    close: async () => {
      await last
      await (await worker)?.terminate()
    },
  }
}

const WHY_ENDED = {
  late: (isPattern: boolean, limitMs: number) =>
    `${isPattern ? 'The pattern' : 'Grading'} took more than ${limitMs.toLocaleString('en')} ms and was ended`,
  died: () => 'Grading took too much memory and was ended',
}

/** The time counts from when the thread begins. */
function askWithin(
  thread: Worker,
  { task, limitMs }: { task: GradingTask; limitMs: number },
): Promise<Outcome | keyof typeof WHY_ENDED> {
  const { promise, resolve } = Promise.withResolvers<Outcome | keyof typeof WHY_ENDED>()
  let timer: NodeJS.Timeout | undefined
  const hear = (message: 'begun' | Outcome) => {
    if (message === 'begun') timer = setTimeout(() => resolve('late'), limitMs)
    else resolve(message)
  }
  const die = () => resolve('died')
  thread.on('message', hear).once('error', die).once('exit', die)
  thread.postMessage(task)
  return promise.finally(() => {
    clearTimeout(timer)
    thread.off('message', hear).off('error', die).off('exit', die)
    // A thread that is ended later may still fail.
    thread.on('error', () => {})
  })
}
