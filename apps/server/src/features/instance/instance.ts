import {
  adminApi,
  currentWorkApi,
  type FirstSteps,
  firstStepsApi,
  instanceApi,
  retentionApi,
  type User,
} from '@catenary/contracts'
import type { AppContext, Context } from '../../platform/context.ts'
import { handlers } from '../../platform/http/endpoints.ts'
import { countRunsHere } from '../runs/runs.ts'
import { changeRetention, readRetention, workRetention } from './apply-retention.ts'
import { readDebugMode } from './debug-mode.sql.ts'
import { setDebugMode } from './debug-mode.ts'
import { describeInstance, webBuild } from './describe-instance.ts'
import {
  findEnd,
  findNewestChainId,
  findNewestPromptId,
  findRuns,
  hasOwnChain,
  hasUsedToken,
  saveEnd,
} from './first-steps.sql.ts'
import { listChecks, runCheck, workProbes } from './run-checks.ts'
import { workActivitySending } from './send-activity.ts'
import { readCurrentWork, stopRun, watchWork } from './watch-work.ts'

export { debugMode } from './debug-mode.ts'
export { checkDatabase, describeInstance } from './describe-instance.ts'

const HOUR_SECONDS = 3_600

const serveDescription = handlers(instanceApi, {
  'GET /api/instance': (ctx, { user }) => describeInstance(ctx, user),
})

const serveFirstSteps = handlers(firstStepsApi, {
  'GET /api/first-steps': (ctx, { user }) => findFirstSteps(ctx, user),
  'DELETE /api/first-steps': (ctx, { user }) => endFirstSteps(ctx, user),
})

const serveRetention = handlers(retentionApi, {
  'GET /api/admin/retention': readRetention,
  'PUT /api/admin/retention': changeRetention,
})

const serveCurrentWork = handlers(currentWorkApi, {
  'GET /api/admin/processes': readCurrentWork,
  'POST /api/admin/processes/runs/{id}/stop': (ctx, { params }) => stopRun(ctx, params.id),
})

const serveAdmin = handlers(adminApi, {
  'GET /api/admin/debug-mode': async (ctx) => ({ debugMode: await readDebugMode(ctx.db) }),
  'POST /api/admin/debug-mode': async (ctx, { body: { enabled } }) => ({
    debugMode: await setDebugMode(ctx, enabled),
  }),
  'GET /api/admin/checks': listChecks,
  'GET /api/admin/checks/{name}': (ctx, { params }) => runCheck(ctx, params.name),
})

export const serveInstance = [serveFirstSteps, serveRetention, serveDescription, serveCurrentWork, serveAdmin]

/** What deletes rows past their time, by what the log calls them, and says how many those were. */
export type Cleanup = Readonly<Record<string, (ctx: Context) => Promise<number>>>

export async function beginInstance(ctx: AppContext, cleanup: Cleanup): Promise<void> {
  workRetention(ctx)
  workCleanup(ctx, cleanup)
  await webBuild(ctx)
  beginWork(ctx)
  workProbes(ctx)
  workActivitySending(ctx)
}

/** Every hour in one of all processes. */
function workCleanup(ctx: Context, cleanup: Cleanup): void {
  ctx.jobs.queue('upkeep').work({
    repeatSeconds: HOUR_SECONDS,
    atStart: 'hourly',
    handle: async () => {
      const deleted: Record<string, number> = {}
      for (const [what, deletePast] of Object.entries(cleanup)) deleted[what] = await deletePast(ctx)
      ctx.log.info(deleted, 'cleanup')
    },
  })
}

function beginWork(ctx: Context): void {
  const { jobs, processes } = ctx
  processes.countBy({ runs: () => countRunsHere(ctx), jobs: jobs.countHere })
  watchWork(ctx)
}

/** Which of the four first steps a newcomer has done; only that they are over is stored. */
async function findFirstSteps({ db, models }: Context, user: User): Promise<FirstSteps> {
  const hasKey = !models.isSandbox()
  if (await findEnd(db, user.id)) return { ...OVER, hasKey }
  const runs = await findRuns(db, user.id)
  // Keys are set where the program runs, by an administrator.
  const model = hasKey || user.role !== 'admin' || runs.prompt || runs.chain
  const chain = runs.chain || (await hasOwnChain(db, user.id))
  const code = runs.code || (await hasUsedToken(db, user.id))
  return {
    isOver: false,
    done: { model, run: runs.prompt, chain, code },
    hasKey,
    promptId: await findNewestPromptId(db, user.id),
    chainId: await findNewestChainId(db, user.id),
  }
}

const endFirstSteps = ({ db }: Context, user: User): Promise<void> => saveEnd(db, user.id)

const OVER = {
  isOver: true,
  done: { model: true, run: true, chain: true, code: true },
  promptId: null,
  chainId: null,
} as const
