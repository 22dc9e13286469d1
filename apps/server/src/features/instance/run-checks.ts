import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SystemCheck, SystemCheckResult } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { type Context, onePerApp, transaction } from '../../platform/context.ts'
import { checkGoogleDrive } from '../google-drive/google-drive.ts'
import { testModel } from '../models/models.ts'
import { readSchedulerState } from '../schedules/schedules.ts'
import { createProbe, deleteProbe, existsProbe, readServerVersion } from './debug-mode.sql.ts'
import { checkDisk, checkMail, checkOutbound, checkSchedules } from './dependency-checks.ts'

const QUEUE_TIMEOUT_MS = 10_000
const POLL_MS = 20

type Outcome = Pick<SystemCheckResult, 'status' | 'message'>

const listOwnChecks = (ctx: Context): (SystemCheck & { run: () => Promise<Outcome> })[] => [
  { name: 'database', title: 'Database', run: () => checkDatabase(ctx) },
  { name: 'disk', title: 'Disk', run: async () => checkDisk(ctx.disk) },
  { name: 'queue', title: 'Job queue', run: () => checkQueue(ctx) },
  ...ctx.models.describe().map(({ alias, label }) => ({
    name: `model-${alias}`,
    title: `Model: ${label}`,
    run: () => checkModel(ctx, alias),
  })),
  {
    name: 'schedules',
    title: 'Schedules',
    run: async () => checkSchedules(await readSchedulerState(ctx), ctx.now()),
  },
  { name: 'mail', title: 'Mail', run: () => checkMail(ctx.mail) },
  { name: 'google-drive', title: 'Google Drive', run: () => checkGoogleDrive(ctx) },
  { name: 'outgoing-fetch', title: 'Outgoing-fetch guard', run: () => checkOutbound(ctx.outbound) },
]

export const listChecks = (ctx: Context): SystemCheck[] =>
  listOwnChecks(ctx).map(({ name, title }) => ({ name, title }))

export async function runCheck(ctx: Context, name: string): Promise<SystemCheckResult> {
  const check = listOwnChecks(ctx).find((one) => one.name === name)
  if (check === undefined) throw new AppError('not_found', 'This check does not exist')
  const startedAt = performance.now()
  const outcome = await check.run().catch((error: unknown): Outcome => {
    ctx.log.error({ err: error, check: name }, 'check failed')
    return { status: 'failed', message: 'It failed. The server’s log has the error' }
  })
  return { name, ...outcome, ms: Math.round(performance.now() - startedAt) }
}

async function checkQueue(ctx: Context): Promise<Outcome> {
  if (await isProbeRun(ctx)) return { status: 'ok', message: 'A test job was queued and run' }
  const message = `No process ran the job within ${QUEUE_TIMEOUT_MS / 1000} s. Is a worker running?`
  return { status: 'failed', message }
}

const probes = onePerApp(({ jobs }) => jobs.queue('probe'))

export const workProbes = (ctx: Context): void => probes(ctx).work({ handle: async () => undefined })

async function isProbeRun(ctx: Context): Promise<boolean> {
  const { db, jobs } = ctx
  if (!jobs.started) throw new Error('jobs have not been started')
  const queue = probes(ctx)
  const key = randomUUID()
  const deadline = performance.now() + QUEUE_TIMEOUT_MS
  await queue.send(db, { key, payload: {} })
  while (await queue.has(db, key)) {
    if (performance.now() > deadline) {
      await queue.remove(db, key)
      return false
    }
    await sleep(POLL_MS)
  }
  return true
}

/** In a transaction that is committed, so that the disk takes part. */
async function checkDatabase(ctx: Context): Promise<Outcome> {
  const id = randomUUID()
  const isThere = await transaction(ctx, async ({ db }) => {
    await createProbe(db, id)
    const found = await existsProbe(db, id)
    await deleteProbe(db, id)
    return found
  })
  if (!isThere) return { status: 'failed', message: 'A row that was written could not be read back' }
  const version = await readServerVersion(ctx.db)
  return { status: 'ok', message: `PostgreSQL ${version}: a row was written, read and deleted` }
}

async function checkModel(ctx: Context, alias: string): Promise<Outcome> {
  const model = ctx.models.describe().find((one) => one.alias === alias)
  const isSandbox = model?.provider === 'sandbox'
  if (!isSandbox && model?.configured !== true) {
    return { status: 'off', message: `Not set up: ${model?.keyVariable} is not set` }
  }
  const { ok, modelId, error } = await testModel(ctx, alias)
  if (!ok) return { status: 'failed', message: error ?? 'No answer' }
  if (isSandbox) return { status: 'ok', message: 'The sandbox answered; no model was called' }
  return { status: 'ok', message: `${modelId} answered` }
}
