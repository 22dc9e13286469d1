import { randomUUID } from 'node:crypto'
import type { ModelAlias, ModelStatus, SystemCheck, SystemCheckResult } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Disk } from '../../platform/platform.ts'
import type { GoogleDriveService } from '../google-drive/google-drive.ts'
import type { testModel } from '../models/models.ts'
import { readSchedulerState } from '../schedules/schedules.ts'
import { createProbe, deleteProbe, existsProbe, readServerVersion } from './admin.repository.ts'
import { checkDisk, checkMail, checkOutbound, checkSchedules } from './dependency-checks.ts'

/** An idle worker is notified of a job at once. */
const QUEUE_TIMEOUT_MS = 10_000

type Outcome = Pick<SystemCheckResult, 'status' | 'message'>

export type ChecksService = ReturnType<typeof createChecksService>

export interface ChecksDeps {
  ctx: Context
  db: Database
  log: Log
  modelTests: {
    list: () => ModelStatus[]
    test: (alias: ModelAlias) => ReturnType<typeof testModel>
  }
  /** Whether any process runs a job within that time. */
  probeQueue: (options: { timeoutMs: number }) => Promise<boolean>
  now: () => Date
  mail: Mail
  outbound: Outbound
  disk: Disk
  googleDrive: Pick<GoogleDriveService, 'check'>
}

/** Live checks of what the program depends on, run one by one by the test dashboard. */
export function createChecksService({
  ctx,
  db,
  log,
  modelTests,
  probeQueue,
  now,
  mail,
  outbound,
  disk,
  googleDrive,
}: ChecksDeps) {
  const checksNow = (): (SystemCheck & { run: () => Promise<Outcome> })[] => [
    { name: 'database', title: 'Database', run: () => checkDatabase(db) },
    { name: 'disk', title: 'Disk', run: async () => checkDisk(disk) },
    { name: 'queue', title: 'Job queue', run: checkQueue },
    ...modelTests.list().map(({ alias, label }) => ({
      name: `model-${alias}`,
      title: `Model: ${label}`,
      run: () => checkModel({ modelTests, alias }),
    })),
    {
      name: 'schedules',
      title: 'Schedules',
      run: async () => checkSchedules(await readSchedulerState(ctx), now()),
    },
    { name: 'mail', title: 'Mail', run: () => checkMail(mail) },
    { name: 'google-drive', title: 'Google Drive', run: googleDrive.check },
    { name: 'outgoing-fetch', title: 'Outgoing-fetch guard', run: () => checkOutbound(outbound) },
  ]

  async function checkQueue(): Promise<Outcome> {
    if (await probeQueue({ timeoutMs: QUEUE_TIMEOUT_MS })) {
      return { status: 'ok', message: 'A job was sent, run and seen' }
    }
    const message = `No process ran the job within ${QUEUE_TIMEOUT_MS / 1000} s. Is a worker running?`
    return { status: 'failed', message }
  }

  return {
    list: (): SystemCheck[] => checksNow().map(({ name, title }) => ({ name, title })),

    /** Runs one check; what goes wrong is its result. Throws `not_found` for an unknown name. */
    async run(name: string): Promise<SystemCheckResult> {
      const check = checksNow().find((one) => one.name === name)
      if (check === undefined) throw new AppError('not_found', 'This check does not exist')
      const startedAt = performance.now()
      const outcome = await check.run().catch((error: unknown): Outcome => {
        log.error({ err: error, check: name }, 'check failed')
        return { status: 'failed', message: 'It failed with an error that the server’s log shows' }
      })
      return { name, ...outcome, ms: Math.round(performance.now() - startedAt) }
    },
  }
}

/** In a transaction that is committed, so that the disk takes part. */
async function checkDatabase(db: Database): Promise<Outcome> {
  const id = randomUUID()
  const isThere = await db.transaction(async (transaction) => {
    await createProbe(transaction, id)
    const found = await existsProbe(transaction, id)
    await deleteProbe(transaction, id)
    return found
  })
  if (!isThere) return { status: 'failed', message: 'A row that was written was not there' }
  const version = await readServerVersion(db)
  return { status: 'ok', message: `PostgreSQL ${version}: a row was written, read and deleted` }
}

async function checkModel({
  modelTests,
  alias,
}: Pick<ChecksDeps, 'modelTests'> & { alias: string }): Promise<Outcome> {
  const model = modelTests.list().find((one) => one.alias === alias)
  const isSandbox = model?.provider === 'sandbox'
  if (!isSandbox && model?.configured !== true) {
    return { status: 'off', message: `Not set up: ${model?.keyVariable} is not set` }
  }
  const { ok, modelId, error } = await modelTests.test(alias)
  if (!ok) return { status: 'failed', message: error ?? 'No answer' }
  if (isSandbox) return { status: 'ok', message: 'The sandbox answered; no model was called' }
  return { status: 'ok', message: `${modelId} answered` }
}
