import path from 'node:path'
import type { DrillStage } from '@catenary/contracts'
import { buildApp } from '../../app.ts'
import { type DatabaseClient, openDatabase } from '../../database/open/client.ts'
import { verifyActivity } from '../../database/statements/activity-chain.ts'
import { AppError } from '../../errors.ts'
import { OWN_TEXTS_ONLY } from '../../features/records/records.ts'
import { startChainRun } from '../../features/runs/runs.ts'
import { type ClosedParts, createClosedParts } from '../../platform/closed-parts.ts'
import { createLog, type Log } from '../../platform/log/log.ts'
import { keyFingerprint } from '../../platform/secrets/secret-box.ts'
import { readSettings, type Settings } from '../../platform/settings/settings.ts'
import { isOfFullDisk } from '../../platform/start-failure.ts'
import { explainActivity } from '../activity/explain-activity.ts'
import type { BackupAbout } from '../backup/backup-format.ts'
import { openBackup } from '../backup/read-backup.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { readDeleted } from '../deletions/deleted-records.ts'
import type { DrillLine } from './drill-process.ts'
import { listNewestChains, makeUpChain, type TrialChain } from './trial-chains.sql.ts'

const say = (line: DrillLine) => process.stdout.write(`${JSON.stringify(line)}\n`)

function createStopwatch() {
  let before = performance.now()
  return (name: DrillStage['name'], found: string): DrillStage => {
    const now = performance.now()
    const ms = Math.round(now - before)
    before = now
    return { name, ms, found }
  }
}

/**
 * Restores a copy into DATA_DIR, which is thrown away, and runs one chain of it in the sandbox. What it found goes to
 * standard output, a line of JSON for each stage; also why it failed.
 */
export async function drill(file: string): Promise<void> {
  // Whoever wanted it is gone, and the next trial empties its directory.
  process.once('disconnect', () => process.exit(1))
  try {
    await restoreAndRun(file)
    say({ done: true })
  } catch (error) {
    say({ problem: describeFailure(error) })
  }
  // Nothing of it is kept: what is still open ends with the process.
  process.exit(0)
}

function describeFailure(error: unknown): string {
  if (isOfFullDisk(error)) return 'The disk filled up during the test restore.'
  return error instanceof Error ? error.message : String(error)
}

async function restoreAndRun(file: string): Promise<void> {
  const settings = readSettings()
  const { dataDir, secretKey = '', secretKeyAlso } = settings
  const passed = createStopwatch()
  const backup = await openBackup(file)
  const problem = findFingerprintProblem({ about: backup.about, keys: [secretKey, secretKeyAlso] })
  if (problem !== undefined) throw new Error(problem)
  await restoreBackup({
    backup,
    deleted: await readDeleted(path.dirname(file)),
    dataDir,
    fsync: false,
    resumeWork: true,
    onStage: (stage, { rows, found }) =>
      say({ stage: passed(stage, found), ...(rows !== undefined && { rows }) }),
  })
  const log = createLog({ level: 'silent' })
  const database = await openDatabase({ dataDir, fsync: false })
  await requireUnchanged(database)
  const parts = createClosedParts({ settings: settings.models, log, sandboxChunkDelayMs: 0 })
  const name = await runOneChain({ settings: { ...settings, secretKey }, database, log, parts })
  say({ stage: passed('ran', `${name}, in the sandbox`) })
}

function findFingerprintProblem({
  about: { keyFingerprint: wanted },
  keys,
}: {
  about: BackupAbout
  keys: (string | undefined)[]
}): string | undefined {
  const known = keys.flatMap((key) => (key === undefined ? [] : keyFingerprint(key)))
  if (wanted === null || known.includes(wanted)) return undefined
  return 'It was made with a different SECRET_KEY from the one in use, so encrypted values could not be read'
}

async function requireUnchanged({ pool }: DatabaseClient): Promise<void> {
  const verdict = await verifyActivity(pool)
  if (verdict === null || verdict.problem === null) return
  throw new Error(`Its activity was changed in the database: ${explainActivity(verdict)}`)
}

const RUN_LIMIT_MS = 60_000

interface Trial {
  settings: Settings & { secretKey: string }
  database: DatabaseClient
  log: Log
  parts: ClosedParts
}

/**
 * Builds the program on a copy, without a way out and without jobs, and runs its newest chain that runs, or else one
 * that is made up in the copy. The name of what ran; throws where none of them completes.
 */
async function runOneChain({ settings, database, log, parts }: Trial): Promise<string> {
  const app = await buildApp({
    ...parts,
    settings: { ...settings, role: 'web', admin: undefined, metrics: false },
    database,
    log,
  })
  try {
    for (const chain of await listNewestChains(database.db)) {
      if ((await tryChain(app, chain)) === undefined) return chain.name
    }
    const madeUp = await makeUpChain(database.db)
    const problem = await tryChain(app, madeUp)
    if (problem === undefined) return madeUp.name
    throw new Error(`No chain can run in it: ${problem}`)
  } finally {
    await app.close()
  }
}

async function tryChain({ ctx }: Awaited<ReturnType<typeof buildApp>>, { id, user }: TrialChain) {
  try {
    const attached = AbortSignal.timeout(RUN_LIMIT_MS)
    const { outcome } = await startChainRun(ctx, {
      user,
      allowed: OWN_TEXTS_ONLY,
      chainId: id,
      input: 'A trial',
      attached,
    })
    const ended = await outcome
    return ended.status === 'completed' ? undefined : ended.message
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}
