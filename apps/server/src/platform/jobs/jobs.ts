import { type QueueState, WORK_COUNTED } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import type { DatabaseClient } from '../../database/open/client.ts'
import type { Executor } from '../../database/statements/executor.ts'
import type { Log } from '../log/log.ts'
import { CHANNEL, createJob, deleteJob, existsJob, readOldestDue, releaseAllJobs } from './job-rows.ts'
import { createJobWorker, type JobObserver, type WorkOptions } from './job-worker.ts'

export type JobsDatabase = Pick<DatabaseClient, 'db' | 'kind' | 'listen' | 'move'>

interface NewJob<Payload> {
  /** While a job of that key waits or is under way, another is not added. */
  key: string
  payload: Payload
  runAt?: Date
}

interface Queue<Payload extends object> {
  /** In the caller's transaction: rolled back, the job never existed. It is done at least once, by its key. */
  send(executor: Executor, job: NewJob<Payload>): Promise<void>
  has(executor: Executor, key: string): Promise<boolean>
  /** A try that is under way ends by itself. */
  remove(executor: Executor, key: string): Promise<void>
  work(options: WorkOptions<Payload>): void
}

export interface Jobs {
  /** The name is kept with its jobs: renaming it leaves them behind. */
  queue<Payload extends object>(name: string): Queue<Payload>
  start(options: { work: boolean }): Promise<void>
  stop(): Promise<void>
  readonly started: boolean
  check(): Promise<void>
  /** Seconds since the longest-waiting job became due; 0 where none waits. */
  readOldestDue(): Promise<number>
  countHere(): number
  readQueues(): Promise<QueueState[]>
}

export interface JobsOptions {
  database: JobsDatabase
  log: Log
  observe?: JobObserver | undefined
  draining?: AbortSignal
}

export function createJobs({ database, log, observe, draining }: JobsOptions): Jobs {
  const { db, kind, listen, move } = database
  const queues = new Map<string, WorkOptions>()
  let worker: ReturnType<typeof createJobWorker> | undefined
  let unlisten: (() => Promise<void>) | undefined
  let started = false

  return {
    queue: <Payload extends object>(queue: string): Queue<Payload> => ({
      send: (executor, job) => createJob(executor, { queue, ...job }),
      has: (executor, key) => existsJob(executor, { queue, key }),
      remove: (executor, key) => deleteJob(executor, { queue, key }),
      work: (options) => {
        queues.set(queue, options as WorkOptions)
      },
    }),

    async start({ work }) {
      if (work) {
        if (kind === 'embedded') await releaseAllJobs(db)
        const isPaused = () => draining?.aborted === true || move.current() !== null
        worker = createJobWorker({ db, queues, log, observe, isPaused })
        const { poll } = worker
        for (const [queue, { atStart: key }] of queues) {
          if (key !== undefined) await createJob(db, { queue, key, payload: {} })
        }
        await worker.recallAhead()
        unlisten = await listen({ channel: CHANNEL, onNotify: poll, onReconnect: poll })
        poll()
      }
      started = true
    },

    async stop() {
      started = false
      await unlisten?.()
      await worker?.stop()
    },

    get started() {
      return started
    },

    readOldestDue: () => readOldestDue(db, [...queues.keys()]),

    countHere: () => worker?.count() ?? 0,

    readQueues: () => readQueueStates(db, [...queues.keys()]),

    async check() {
      if (!started) throw new Error('the queue is not open')
    },
  }
}

interface Counted {
  queue: string
  due: number
  later: number
  failing: number
  held: number
  oldest_ms: number | null
}

/** The queues of these that have jobs, in figures; of each at most `WORK_COUNTED` jobs are looked at, the longest due first. */
async function readQueueStates(executor: Executor, queues: string[]): Promise<QueueState[]> {
  const { rows } = await executor.execute<Counted & Record<string, unknown>>(sql`
    select wanted.queue,
      count(*) filter (where not is_held and next_at <= now())::integer as due,
      count(*) filter (where not is_held and next_at > now())::integer as later,
      count(*) filter (where not is_held and last_error is not null)::integer as failing,
      count(*) filter (where is_held)::integer as held,
      (extract(epoch from min(next_at) filter (where next_at <= now())) * 1000)::float8 as oldest_ms
    from unnest(${sql.param(queues)}::text[]) as wanted(queue), lateral (
      select next_at, is_held, last_error from jobs where jobs.queue = wanted.queue
      order by next_at limit ${WORK_COUNTED}
    ) as looked_at
    group by wanted.queue order by wanted.queue`)
  return rows.map(({ queue, due, later, failing, held, oldest_ms }) => ({
    queue,
    due,
    later,
    failing,
    held,
    oldestDueAt: oldest_ms === null ? null : new Date(oldest_ms).toISOString(),
  }))
}
