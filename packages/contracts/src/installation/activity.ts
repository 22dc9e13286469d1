import * as z from 'zod'
import { id, timestamp } from '../common.ts'

/** Of each kind of thing, how many are listed at most. */
export const ACTIVITY_LISTED = 50
/** A queue with more jobs says so much. */
export const ACTIVITY_COUNTED = 10_000

/** A run that has not ended, as admins see it: never its texts, nor the name of what runs (ADR 006). */
const activeRun = z.object({
  id,
  kind: z.enum(['prompt', 'chain']).describe('What runs.'),
  state: z
    .enum(['running', 'waiting', 'stopping'])
    .describe('waiting: for a process to take it up. stopping: someone has asked for its end.'),
  model: z.string().nullable().describe('Alias of the model of the step that runs; null: not known here.'),
  trigger: z.enum(['manual', 'schedule', 'token', 'evaluation']).describe('What started it.'),
  username: z.string().describe('Whose it is.'),
  startedAt: timestamp,
  completedSteps: z.int().describe('Steps that have completed.'),
  stepCount: z.int().describe('Steps in all.'),
  heldUntil: timestamp
    .nullable()
    .describe('Until when a process holds it, unless it extends that; null: no process holds it.'),
})
export type ActiveRun = z.infer<typeof activeRun>

/** The jobs of one queue. */
const queueState = z.object({
  queue: z.string().describe('Name of the queue.'),
  due: z.int().describe(`Jobs that could be done now; ${ACTIVITY_COUNTED}: that many or more.`),
  later: z.int().describe('Jobs whose time has not come.'),
  failing: z.int().describe('Jobs among these that failed at least once.'),
  held: z.int().describe('Jobs that a process is doing.'),
  oldestDueAt: timestamp.nullable().describe('Since when the longest-waiting one is due; null: none is.'),
})
export type QueueState = z.infer<typeof queueState>

/** A session of a PostgreSQL server that has been at something for longer than a second. */
const slowStatement = z.object({
  pid: z.int().describe('The session’s process on the server.'),
  since: timestamp.describe('Since when.'),
  isIdle: z.boolean().describe('It holds a transaction open and does nothing.'),
  text: z.string().describe('The statement’s beginning; what stands in quotes is left out.'),
  waitsFor: z.string().nullable().describe('What the server says that it waits for; null: nothing.'),
  blockedBy: z.array(z.int()).describe('Sessions that hold what it waits for.'),
})
export type SlowStatement = z.infer<typeof slowStatement>

/** GET /api/admin/activity */
export const activity = z.object({
  runs: z.array(activeRun).describe('Runs that have not ended, oldest first.'),
  hasMoreRuns: z.boolean().describe(`More than ${ACTIVITY_LISTED} have not ended.`),
  queues: z.array(queueState).describe('Queues that have jobs.'),
  database: z
    .object({
      kind: z.enum(['embedded', 'server']).describe('embedded: it does one statement at a time.'),
      answeredInMs: z.number().describe('How long it took to answer what is asked here.'),
      waitingCalls: z.int().describe('Calls of the answering process that wait for a connection.'),
      statements: z.array(slowStatement).describe('Longest first; none on the embedded database.'),
    })
    .describe('What the database is at.'),
  processes: z
    .array(
      z.object({
        pid: z.int().describe('Its session on the server on which it listens.'),
        address: z.string().nullable().describe('Where it connects from; null: a socket of the machine.'),
        since: timestamp.describe('Since when it is connected.'),
      }),
    )
    .nullable()
    .describe('Processes on this database; null: the embedded database has one.'),
})
export type Activity = z.infer<typeof activity>
