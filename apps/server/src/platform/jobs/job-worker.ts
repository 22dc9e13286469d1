import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../database/statements/executor.ts'
import type { Log } from '../log/log.ts'
import {
  claimJobs,
  extendLeases,
  failJob,
  finishJob,
  type HeldJob,
  recallJobsAhead,
  releaseJob,
  repeatJob,
  untilNextJob,
} from './job-rows.ts'

/** Notifications and timers start jobs; polling finds those that both missed. */
const POLL_MS = 30_000
const EXTEND_MS = 10_000
/** Jobs that a clock which was ahead has put off are found after this time. */
const RECALL_MS = 60_000
const OUTAGE_MS = 1_000
const PAUSE_MS = 2_000
const STOP_TIMEOUT_MS = 3_000

interface Job<Payload extends object = object> {
  key: string
  payload: Payload
  attempt: number
  lateMs: number
  /** Aborts when another worker has the job, or the process stops: throw, and it is tried again. */
  signal: AbortSignal
}

export interface WorkOptions<Payload extends object = object> {
  handle: (job: Job<Payload>) => Promise<void>
  concurrency?: number
  repeatSeconds?: number
  /** The key of a job that a working process sees to at its start. */
  atStart?: string
}

export type JobObserver = (
  attempt: { queue: string; outcome: 'completed' | 'failed' },
  seconds: number,
) => void

interface JobWorkerDeps {
  db: Database
  queues: ReadonlyMap<string, WorkOptions>
  log: Log
  isPaused: () => boolean
  observe?: JobObserver | undefined
}

interface UnderWay {
  job: HeldJob
  stop: AbortController
  ended: Promise<void>
}

interface JobWorker extends JobWorkerDeps {
  stopping: AbortController
  underWay: Map<number, UnderWay>
  timer: NodeJS.Timeout | undefined
  polling: Promise<void>
  isPolling: boolean
  /** Something became due, or there is room again, since the last poll began. */
  pollAgain: boolean
}

export function createJobWorker(deps: JobWorkerDeps) {
  const worker: JobWorker = {
    ...deps,
    stopping: new AbortController(),
    underWay: new Map(),
    timer: undefined,
    polling: Promise.resolve(),
    isPolling: false,
    pollAgain: false,
  }
  const extending = setInterval(() => void keepLeases(worker), EXTEND_MS).unref()
  const recalling = setInterval(() => void recallAhead(worker), RECALL_MS).unref()

  return {
    poll: () => poll(worker),

    recallAhead: () => recallAhead(worker),

    count: () => worker.underWay.size,

    async stop(): Promise<void> {
      const { db, stopping, underWay } = worker
      stopping.abort()
      await worker.polling
      clearTimeout(worker.timer)
      clearInterval(recalling)
      const ended = () => Promise.all([...underWay.values()].map((each) => each.ended))
      await Promise.race([ended(), delay(STOP_TIMEOUT_MS, undefined, { ref: false })])
      clearInterval(extending)
      for (const { job } of underWay.values()) await releaseJob(db, job)
    },
  }
}

function poll(worker: JobWorker): void {
  worker.pollAgain = true
  if (!worker.isPolling) worker.polling = claimDue(worker)
}

function pollIn(worker: JobWorker, ms: number): void {
  clearTimeout(worker.timer)
  worker.timer = setTimeout(poll, Math.min(Math.max(ms, 1), POLL_MS), worker).unref()
}

async function claimDue(worker: JobWorker): Promise<void> {
  const { db, log, stopping, underWay, isPaused } = worker
  worker.isPolling = true
  try {
    while (worker.pollAgain && !stopping.signal.aborted) {
      worker.pollAgain = false
      if (isPaused()) {
        pollIn(worker, PAUSE_MS)
        break
      }
      // With no capacity left, the next job that ends polls again.
      const wanted = queuesWithRoom(worker)
      if (wanted.length === 0) break
      for (const job of await claimJobs(db, wanted, [...underWay.keys()])) begin(worker, job)
      pollIn(worker, (await untilNextJob(db, queuesWithRoom(worker), [...underWay.keys()])) ?? POLL_MS)
    }
  } catch (error) {
    log.warn({ err: error }, 'due jobs could not be taken up')
    pollIn(worker, OUTAGE_MS)
  }
  worker.isPolling = false
}

function queuesWithRoom(worker: JobWorker): { queue: string; room: number }[] {
  return [...worker.queues.keys()]
    .map((queue) => ({ queue, room: roomOf(worker, queue) }))
    .filter(({ room }) => room > 0)
}

function roomOf({ queues, underWay }: JobWorker, queue: string): number {
  const running = [...underWay.values()].filter(({ job }) => job.queue === queue)
  return (queues.get(queue)?.concurrency ?? 1) - running.length
}

function begin(worker: JobWorker, job: HeldJob): void {
  const { log, stopping, underWay } = worker
  const stop = new AbortController()
  const ended = run(worker, job, AbortSignal.any([stop.signal, stopping.signal]))
    .catch((error: unknown) => {
      // Its lease is no longer extended: it is retried when that expires.
      log.error({ err: error, ...named(job) }, 'the end of a job was not stored')
      return { isOver: false }
    })
    .then(({ isOver }) => {
      const wasFull = roomOf(worker, job.queue) === 0
      underWay.delete(job.id)
      if (wasFull || !isOver) poll(worker)
    })
  underWay.set(job.id, { job, stop, ended })
}

async function run(worker: JobWorker, job: HeldJob, signal: AbortSignal): Promise<{ isOver: boolean }> {
  const { db, queues, observe, stopping } = worker
  const { queue, key, payload, attempt, lateMs } = job
  const { handle, repeatSeconds } = queues.get(queue) as WorkOptions
  const start = performance.now()
  const ended = (outcome: 'completed' | 'failed') =>
    observe?.({ queue, outcome }, (performance.now() - start) / 1000)
  try {
    await handle({ key, payload, attempt, lateMs, signal })
  } catch (error) {
    if (!stopping.signal.aborted) ended('failed')
    await storeFailure(worker, job, error)
    return { isOver: false }
  }
  ended('completed')
  if (repeatSeconds === undefined) await finishJob(db, job)
  else await repeatJob(db, job, repeatSeconds)
  return { isOver: repeatSeconds === undefined }
}

async function storeFailure({ db, log, stopping }: JobWorker, job: HeldJob, error: unknown): Promise<void> {
  if (stopping.signal.aborted) return releaseJob(db, job)
  log.error({ err: error, ...named(job) }, 'job failed')
  await failJob(db, job, error instanceof Error ? error.message : String(error))
}

async function keepLeases({ db, log, underWay }: JobWorker): Promise<void> {
  const held = [...underWay.values()]
  if (held.length === 0) return
  try {
    const kept = await extendLeases(
      db,
      held.map(({ job }) => job),
    )
    for (const { job, stop } of held) if (!kept.has(job.id)) stop.abort()
  } catch (error) {
    log.warn({ err: error }, 'the leases of jobs could not be extended')
  }
}

async function recallAhead(worker: JobWorker): Promise<void> {
  const { db, log, queues } = worker
  const repeating = [...queues].flatMap(([queue, { repeatSeconds }]) =>
    repeatSeconds === undefined ? [] : [{ queue, repeatSeconds }],
  )
  try {
    if (await recallJobsAhead(db, repeating)) poll(worker)
  } catch (error) {
    log.warn({ err: error }, 'jobs that a clock put off could not be looked for')
  }
}

function named({ queue, key, attempt }: HeldJob) {
  return { queue, key, attempt }
}
