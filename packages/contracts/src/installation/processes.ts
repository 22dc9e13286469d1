import * as z from 'zod'
import { id, idParams, timestamp } from '../common.ts'
import { defineApi } from '../endpoint.ts'
import { RECORD_KINDS } from '../records/records.ts'

export const WORK_LISTED = 50
export const WORK_COUNTED = 10_000

/** For admins: never its texts, nor the name of what runs (ADR 006). */
const activeRun = z.object({
  id,
  kind: z.enum(RECORD_KINDS).describe('What runs.'),
  state: z
    .enum(['running', 'waiting', 'stopping'])
    .describe('waiting: for a process to claim it. stopping: someone asked for it to stop.'),
  model: z.string().nullable().describe('Alias of the model of the running step; null: unknown here.'),
  trigger: z.enum(['manual', 'schedule', 'token', 'evaluation']).describe('What started it.'),
  username: z.string().describe('Username of its owner.'),
  startedAt: timestamp,
  completedSteps: z.int().describe('Steps that have completed.'),
  stepCount: z.int().describe('Steps in all.'),
  heldUntil: timestamp
    .nullable()
    .describe('When the process’s hold on it ends unless extended; null: no process holds it.'),
})
export type ActiveRun = z.infer<typeof activeRun>

const queueState = z.object({
  queue: z.string().describe('Name of the queue.'),
  due: z.int().describe(`Jobs that are due; ${WORK_COUNTED} means that many or more.`),
  later: z.int().describe('Jobs that are not due yet.'),
  failing: z.int().describe('Jobs among these that have failed at least once.'),
  held: z.int().describe('Jobs that are running.'),
  oldestDueAt: timestamp
    .nullable()
    .describe('When the longest-waiting job became due; null: none is waiting.'),
})
export type QueueState = z.infer<typeof queueState>

const slowStatement = z.object({
  pid: z.int().describe('Process id of the session on the server.'),
  since: timestamp.describe('Since when.'),
  isIdle: z.boolean().describe('It is idle in an open transaction.'),
  text: z.string().describe('Beginning of the statement, without anything in quotes.'),
  waitsFor: z.string().nullable().describe('What it is waiting for, according to the server; null: nothing.'),
  blockedBy: z.array(z.int()).describe('Sessions that block it.'),
})
export type SlowStatement = z.infer<typeof slowStatement>

const workProcess = z.object({
  id: z.string().describe('Identifies this start of the program.'),
  role: z
    .enum(['all', 'web', 'worker'])
    .describe('What it does: web answers, worker runs chains and jobs, all both.'),
  version: z.string().describe('The version that runs there.'),
  host: z.string().describe('Name of its machine.'),
  startedAt: timestamp,
  seenAt: timestamp.describe('When it last reported in, by the database’s clock.'),
  isLive: z
    .boolean()
    .describe(
      'It reported in within the last 20 seconds. Otherwise it was killed or can’t reach the database.',
    ),
  runs: z.int().describe('Runs in progress there when it last reported in.'),
  jobs: z.int().describe('Jobs in progress there when it last reported in.'),
  poolSize: z.int().describe('Database connections that it may open for statements.'),
})
export type WorkProcess = z.infer<typeof workProcess>

export const currentWork = z.object({
  runs: z.array(activeRun).describe('Runs that have not ended, oldest first.'),
  hasMoreRuns: z.boolean().describe(`More than ${WORK_LISTED} have not ended.`),
  queues: z.array(queueState).describe('Queues that have jobs.'),
  database: z
    .object({
      kind: z.enum(['embedded', 'server']).describe('embedded: runs one statement at a time.'),
      answeredInMs: z.number().describe('How long the database took to answer this call.'),
      waitingCalls: z.int().describe('Calls in the answering process that are waiting for a connection.'),
      connections: z
        .object({
          used: z.int().describe('In use by any program.'),
          allowed: z.int().describe('How many the server allows for users other than superusers.'),
        })
        .nullable()
        .describe('Connections of the server; null for the embedded database, which has no limit.'),
      statements: z.array(slowStatement).describe('Longest first; empty on the embedded database.'),
    })
    .describe('Current state of the database.'),
  processes: z.array(workProcess).describe('Processes on this database: live ones first, then by age.'),
  hasMoreProcesses: z.boolean().describe(`There are more than ${WORK_LISTED}.`),
})
export type CurrentWork = z.infer<typeof currentWork>

export const currentWorkApi = defineApi('admin', {
  'GET /api/admin/processes': {
    who: 'admin',
    summary: 'What Catenary is doing now',
    description: 'Runs, jobs, statements and processes, without texts or names of prompts and chains.',
    reply: currentWork,
    errors: [401, 403],
  },
  'POST /api/admin/processes/runs/{id}/stop': {
    who: 'admin',
    summary: 'Stop anyone’s run; the stop is recorded',
    params: idParams,
    errors: [401, 403, 404],
    activity: { kind: 'run.stopped', object: 'run' },
  },
})
