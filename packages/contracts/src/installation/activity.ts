import * as z from 'zod'
import { id, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { RECORD_KINDS } from '../records/records.ts'

export const ACTIVITY_LISTED = 50
export const ACTIVITY_COUNTED = 10_000

/** For admins: never its texts, nor the name of what runs (ADR 006). */
const activeRun = z.object({
  id,
  kind: z.enum(RECORD_KINDS).describe('What runs.'),
  state: z
    .enum(['running', 'waiting', 'stopping'])
    .describe('waiting: for a process to take it up. stopping: someone asked for it to stop.'),
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

const queueState = z.object({
  queue: z.string().describe('Name of the queue.'),
  due: z.int().describe(`Jobs that could be done now; ${ACTIVITY_COUNTED}: that many or more.`),
  later: z.int().describe('Jobs whose time has not come.'),
  failing: z.int().describe('Jobs among these that failed at least once.'),
  held: z.int().describe('Jobs that a process is doing.'),
  oldestDueAt: timestamp.nullable().describe('Since when the longest-waiting one is due; null: none is.'),
})
export type QueueState = z.infer<typeof queueState>

const slowStatement = z.object({
  pid: z.int().describe('The session’s process on the server.'),
  since: timestamp.describe('Since when.'),
  isIdle: z.boolean().describe('It holds a transaction open and does nothing.'),
  text: z.string().describe('The start of the statement, without anything in quotes.'),
  waitsFor: z.string().nullable().describe('What the server says that it waits for; null: nothing.'),
  blockedBy: z.array(z.int()).describe('Sessions that hold what it waits for.'),
})
export type SlowStatement = z.infer<typeof slowStatement>

const activityProcess = z.object({
  id: z.string().describe('Which start of the program it is.'),
  role: z
    .enum(['all', 'web', 'worker'])
    .describe('What it does: web answers, worker runs chains and jobs, all both.'),
  version: z.string().describe('The version that runs there.'),
  host: z.string().describe('Name of its machine.'),
  startedAt: timestamp,
  seenAt: timestamp.describe('Its last sign, by the database’s clock.'),
  isLive: z
    .boolean()
    .describe('It gave a sign within 20 seconds. One that did not was killed, or can’t reach the database.'),
  runs: z.int().describe('Runs that went on there at its last sign.'),
  jobs: z.int().describe('Jobs that went on there at its last sign.'),
  poolSize: z.int().describe('Connections to the database that it may open for statements.'),
})
export type ActivityProcess = z.infer<typeof activityProcess>

export const activity = z.object({
  runs: z.array(activeRun).describe('Runs that have not ended, oldest first.'),
  hasMoreRuns: z.boolean().describe(`More than ${ACTIVITY_LISTED} have not ended.`),
  queues: z.array(queueState).describe('Queues that have jobs.'),
  database: z
    .object({
      kind: z.enum(['embedded', 'server']).describe('embedded: it does one statement at a time.'),
      answeredInMs: z.number().describe('How long it took to answer what is asked here.'),
      waitingCalls: z.int().describe('Calls of the answering process that wait for a connection.'),
      connections: z
        .object({
          used: z.int().describe('In use, by whatever program.'),
          allowed: z.int().describe('How many the server allows others than superusers.'),
        })
        .nullable()
        .describe('Connections of the server; null: the embedded database has none to run out of.'),
      statements: z.array(slowStatement).describe('Longest first; none on the embedded database.'),
    })
    .describe('What the database is at.'),
  processes: z.array(activityProcess).describe('Processes on this database: live ones first, then by age.'),
  hasMoreProcesses: z.boolean().describe(`More than ${ACTIVITY_LISTED} are known.`),
})
export type Activity = z.infer<typeof activity>

export const activityApi = defineApi('admin', {
  'GET /api/admin/activity': {
    who: 'admin',
    summary: 'What Catenary is doing now',
    description: 'Runs, jobs, statements and processes, without texts or names of prompts and chains.',
    reply: activity,
    errors: [401, 403],
  },
  'POST /api/admin/activity/runs/{id}/stop': {
    who: 'admin',
    summary: 'Stop anyone’s run; the stop is recorded',
    params: idParams,
    errors: [401, 403, 404],
    activity: { kind: 'run.stopped', object: 'run' },
  },
})
