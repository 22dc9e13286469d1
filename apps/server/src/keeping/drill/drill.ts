import path from 'node:path'
import type { DrillStage } from '@catenary/contracts'
import { openDatabase } from '../../database/open/client.ts'
import { createClosedParts } from '../../platform/closed-parts.ts'
import { createLog } from '../../platform/log/log.ts'
import { readSettings } from '../../platform/settings/settings.ts'
import { isOfFullDisk } from '../../platform/start-failure.ts'
import { openBackup } from '../backup/read-backup.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { readDeleted } from '../deletions/deleted-records.ts'
import type { DrillLine } from './drill-process.ts'
import { findFingerprintProblem } from './key-of-copy.ts'
import { runOneChain } from './run-one-chain.ts'

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
  if (isOfFullDisk(error)) return 'The disk became full while it was restored on trial.'
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
  const parts = createClosedParts({ settings: settings.models, log, sandboxChunkDelayMs: 0 })
  const name = await runOneChain({ settings: { ...settings, secretKey }, database, log, parts })
  say({ stage: passed('ran', `${name}, in the sandbox`) })
}
