import type { CurrentWork, WorkProcess } from '../../packages/contracts/src/index.ts'
import { answers, fails, never } from './network.ts'
import type { State } from './state.ts'
import { button, seen } from './steps.ts'

const PATH = '/api/admin/processes'
const AT = '2026-11-22T08:00:00.000Z'
const PROCESS: WorkProcess = {
  id: '0b5c4c61-0f39-4c8d-8f57-5a5b8f0f4a11',
  role: 'all',
  version: '0.1.0',
  host: 'cellar',
  startedAt: AT,
  seenAt: AT,
  isLive: true,
  runs: 0,
  jobs: 1,
  poolSize: 1,
}
const QUIET: CurrentWork = {
  runs: [],
  hasMoreRuns: false,
  queues: [],
  database: { kind: 'embedded', answeredInMs: 3, waitingCalls: 0, connections: null, statements: [] },
  processes: [PROCESS],
  hasMoreProcesses: false,
}

const ROLES = ['web', 'worker', 'all'] as const
const LONG_HOST =
  'catenary-worker-5d9c7f8b6d-with-a-name-as-orchestrators-give-them.europe-west.internal.example.org'
/** Long names, many, and two that are silent. */
const MANY_PROCESSES: WorkProcess[] = Array.from({ length: 50 }, (_, index) => ({
  ...PROCESS,
  id: `process-${index}`,
  role: ROLES[index % ROLES.length] ?? 'all',
  version: index === 1 ? '0.1.0-rc.12+build.20261122.a1b2c3d4' : '0.1.0',
  host: index % 3 === 1 ? LONG_HOST : `node-${index}`,
  isLive: index !== 2 && index !== 49,
  runs: index * 3,
  jobs: index % 2,
  poolSize: 10,
}))

const STATES = ['running', 'waiting', 'stopping'] as const
const LONG_NAME = 'a-person-whose-name-is-as-long-as-a-name-may-be-here'
const BUSY: CurrentWork = {
  runs: Array.from({ length: 50 }, (_, index) => ({
    id: 48_210 + index,
    kind: index % 4 === 3 ? 'prompt' : 'chain',
    state: STATES[index % STATES.length] ?? 'running',
    model:
      index % 5 === 4
        ? null
        : (['claude', 'gemini', 'the-model-of-our-own-in-the-cellar'][index % 3] ?? null),
    trigger: (['manual', 'schedule', 'token', 'evaluation'] as const)[index % 4] ?? 'manual',
    username: index % 7 === 1 ? LONG_NAME : 'grace',
    startedAt: AT,
    completedSteps: index % 3,
    stepCount: index % 4 === 3 ? 1 : 12,
    heldUntil: null,
  })),
  hasMoreRuns: true,
  queues: [
    { queue: 'mail', due: 10_000, later: 12, failing: 1_204, held: 4, oldestDueAt: AT },
    { queue: 'retention', due: 0, later: 1, failing: 0, held: 0, oldestDueAt: null },
    { queue: 'run-ended:schedules', due: 2, later: 0, failing: 0, held: 1, oldestDueAt: AT },
  ],
  database: {
    kind: 'server',
    answeredInMs: 1_204,
    waitingCalls: 31,
    connections: { used: 92, allowed: 97 },
    statements: [
      {
        pid: 4711,
        since: AT,
        isIdle: false,
        text: 'update "prompts" set "content" = $1, "revision" = "prompts"."revision" + 1 where "prompts"."id" = $2 returning "id", "revision", "updated_at"',
        waitsFor: 'Lock: transactionid',
        blockedBy: [4720],
      },
      { pid: 4720, since: AT, isIdle: true, text: 'lock table prompts', waitsFor: null, blockedBy: [] },
    ],
  },
  processes: MANY_PROCESSES.slice(0, 3),
  hasMoreProcesses: false,
}

/** What Catenary is doing now, as admins see it. */
export const processStates: readonly State[] = [
  {
    name: 'admin-processes',
    who: 'admin',
    path: '/settings/processes',
    network: answers(PATH, BUSY),
    prepare: seen(/^Chain run 48210/),
  },
  {
    name: 'admin-processes-server',
    who: 'admin',
    path: '/settings/processes',
    network: answers(PATH, { ...BUSY, runs: BUSY.runs.slice(1, 2), hasMoreRuns: false }),
    prepare: seen(/^Session 4711/),
  },
  {
    name: 'admin-processes-many',
    who: 'admin',
    path: '/settings/processes',
    network: answers(PATH, { ...QUIET, processes: MANY_PROCESSES, hasMoreProcesses: true }),
    prepare: seen(/^Only \d+ are shown/),
  },
  {
    name: 'admin-processes-quiet',
    who: 'admin',
    path: '/settings/processes',
    network: answers(PATH, QUIET),
    prepare: seen('No run is running or waiting.'),
  },
  {
    name: 'admin-processes-error',
    who: 'admin',
    path: '/settings/processes',
    network: fails(PATH),
    prepare: seen('Try again'),
  },
  {
    name: 'admin-processes-loading',
    who: 'admin',
    path: '/settings/processes',
    network: never(PATH),
  },
  {
    name: 'admin-processes-stop',
    who: 'admin',
    path: '/settings/processes',
    network: answers(PATH, BUSY),
    prepare: seen(/^Chain run 48210/),
    opener: button('Stop run 48210'),
  },
]
