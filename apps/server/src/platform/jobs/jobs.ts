import { type Job, PgBoss } from 'pg-boss'
import type { Executor } from '../../db/executor.ts'
import type { Log } from '../log/log.ts'
import { createQueueDatabase, inTransaction, type QueueDatabase } from './queue-database.ts'

/** Of a stop, the share that running jobs get to end or to hand back. */
const STOP_TIMEOUT_MS = 3_000
/** How often jobs of processes that died are looked for. */
const SUPERVISE_SECONDS = 15
/** New jobs are notified of; retries and delayed jobs are found by looking. */
const POLL_SECONDS = 5
const NO_JOB = '00000000-0000-0000-0000-000000000000'

interface JobContext<Data> {
  id: string
  data: Data
  /** 1 for the first try. */
  attempt: number
  /** Aborts when the job expires or the process stops: save what is done and throw, and the job is tried again. */
  signal: AbortSignal
}

interface QueueOptions {
  /** Kept in the database: renaming it leaves its jobs behind. */
  name: string
  /** Tries after the first. */
  retryLimit?: number
  retryDelaySeconds?: number
  /** Doubles the delay with each try. */
  retryBackoff?: boolean
  /** A try that takes longer counts as failed. */
  expireSeconds?: number
  /** At least 10: a job whose process died is tried again about this much later; without it after `expireSeconds`. */
  heartbeatSeconds?: number
}

interface SendOptions<Data> {
  data: Data
  /** The caller's transaction: rolled back, the job never existed. */
  executor?: Executor
  startAfter?: Date
  /** Of jobs that wait with the same key, one is kept within `singletonSeconds`. */
  singletonKey?: string
  singletonSeconds?: number
}

interface WorkOptions<Data> {
  handle: (job: JobContext<Data>) => Promise<void>
  /** Jobs at a time in this process. */
  concurrency?: number
}

interface Queue<Data extends object> {
  /** The job's id, or null where a waiting job with the same key makes it needless. */
  send(options: SendOptions<Data>): Promise<string | null>
  /** What a working process does with the jobs; called once, before `start`. */
  work(options: WorkOptions<Data>): void
  /** Sends a job at each time of the cron expression (UTC), from one process of all. */
  repeat(options: { cron: string; data: Data }): void
}

export interface Jobs {
  /** Declares a queue, before `start`. */
  define<Data extends object>(options: QueueOptions): Queue<Data>
  /** Makes the queue's tables where they are missing; with `work` takes jobs too. */
  start(options: { work: boolean }): Promise<void>
  /** Takes no more jobs, lets running ones end for a moment, hands the others back. */
  stop(): Promise<void>
  /** Whether jobs can be sent. */
  readonly started: boolean
}

/** Called when a job has ended. */
type JobObserver = (job: { queue: string; outcome: 'completed' | 'failed' }) => void

export interface JobsOptions {
  database: QueueDatabase
  log: Log
  observe?: JobObserver
}

/** The durable queue, in the program's own database. */
export function createJobs({ database, log, observe }: JobsOptions): Jobs {
  const stopping = new AbortController()
  const queues: { options: QueueOptions; start: (options: { work: boolean }) => Promise<void> }[] = []
  let boss: PgBoss | undefined
  let started = false

  const running = (): PgBoss => {
    if (boss === undefined) throw new Error('the queue has not been started')
    return boss
  }

  function define<Data extends object>(options: QueueOptions): Queue<Data> {
    const { name } = options
    let worker: WorkOptions<Data> | undefined
    let repeated: { cron: string; data: Data } | undefined

    const handle = async ([job]: Job<Data>[]): Promise<void> => {
      if (job === undefined || worker === undefined) return
      const jobLog = log.child({ queue: name, jobId: job.id })
      jobLog.debug({ attempt: job.retryCount + 1 }, 'job begins')
      try {
        await worker.handle({
          id: job.id,
          data: job.data,
          attempt: job.retryCount + 1,
          signal: AbortSignal.any([job.signal, stopping.signal]),
        })
        observe?.({ queue: name, outcome: 'completed' })
      } catch (error) {
        observe?.({ queue: name, outcome: 'failed' })
        if (stopping.signal.aborted) jobLog.info('job is handed back')
        else jobLog.error({ err: error, attempt: job.retryCount + 1 }, 'job failed')
        throw error
      }
    }

    queues.push({
      options,
      start: async ({ work }) => {
        if (!work) return
        if (repeated !== undefined) await running().schedule(name, repeated.cron, repeated.data)
        if (worker === undefined) return
        const { concurrency = 1 } = worker
        for (let i = 0; i < concurrency; i += 1) {
          await startWorker({ boss: running(), name, handle, stopping: stopping.signal })
        }
      },
    })
    return {
      send: ({ data, executor, ...options }) =>
        running().send(name, data, {
          ...options,
          ...(executor === undefined ? {} : { db: inTransaction(executor) }),
        }),
      work: (options) => {
        worker = options
      },
      repeat: (options) => {
        repeated = options
      },
    }
  }

  return {
    define,
    async start({ work }) {
      boss = new PgBoss({
        db: createQueueDatabase(database),
        schema: 'pgboss',
        useListenNotify: true,
        supervise: work,
        schedule: work,
        superviseIntervalSeconds: SUPERVISE_SECONDS,
        monitorIntervalSeconds: SUPERVISE_SECONDS,
      })
      boss.on('error', (error) => log.error({ err: error }, 'queue'))
      boss.on('warning', (warning) => log.warn({ warning }, 'queue'))
      await boss.start()
      for (const { options } of queues) await declare({ boss, options })
      for (const queue of queues) await queue.start({ work })
      started = true
    },
    async stop() {
      started = false
      stopping.abort()
      await boss?.stop({ graceful: true, close: false, timeout: STOP_TIMEOUT_MS })
    },
    get started() {
      return started
    },
  }
}

interface Worker<Data> {
  boss: PgBoss
  name: string
  handle: (jobs: Job<Data>[]) => Promise<void>
  /** Aborts when no more jobs are taken. */
  stopping: AbortSignal
}

/** Takes one job after the other until there is none, then waits for a notification. */
async function startWorker<Data>({ boss, name, handle, stopping }: Worker<Data>): Promise<void> {
  const id = boss.work<Data>(name, { notifyPollingIntervalSeconds: POLL_SECONDS }, async (jobs) => {
    try {
      await handle(jobs)
    } finally {
      // Notifications that came together count as one: without this the next job would wait for the next look.
      // A worker that stops would take the job again that it has just handed back.
      if (!stopping.aborted) boss.notifyWorker(await id)
    }
  })
  await id
}

async function declare({ boss, options }: { boss: PgBoss; options: QueueOptions }): Promise<void> {
  const { name, retryLimit, retryDelaySeconds, retryBackoff, expireSeconds, heartbeatSeconds } = options
  const settings = Object.fromEntries(
    Object.entries({
      notify: true,
      retryLimit,
      retryDelay: retryDelaySeconds,
      retryBackoff,
      expireInSeconds: expireSeconds,
      heartbeatSeconds,
    }).filter(([, value]) => value !== undefined),
  )
  await boss.createQueue(name, settings)
  await boss.updateQueue(name, settings)
  // Loads the queue's settings now: inside a caller's transaction the one embedded connection is taken.
  await boss.findJobs(name, { id: NO_JOB })
}
