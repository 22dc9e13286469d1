import {
  DEFAULT_RETENTION,
  type RetentionSettings,
  type RetentionState,
  type User,
} from '@catenary/contracts'
import type { Database, Transaction } from '../../db/executor.ts'
import {
  deleteOldRuns,
  deleteOldTexts,
  findOptionalLastCleanup,
  findOptionalRetention,
  readSizes,
  saveLastCleanup,
  saveRetention,
} from './retention.repository.ts'

const DAY_MS = 86_400_000

export interface RetentionDeps {
  db: Database
  now: () => Date
  /** Starts a cleanup at once. */
  runNow: (tx: Transaction) => Promise<void>
}

export type RetentionService = ReturnType<typeof createRetentionService>

/** How long runs, their texts and keys are kept. */
export function createRetentionService({ db, now, runNow }: RetentionDeps) {
  const readSettings = async () => (await findOptionalRetention(db)) ?? DEFAULT_RETENTION
  const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS)

  async function read(): Promise<RetentionState> {
    return {
      settings: await readSettings(),
      sizes: await readSizes(db),
      last: (await findOptionalLastCleanup(db)) ?? null,
    }
  }

  return {
    read,

    /** What is past its time is deleted from now on, in the background. */
    async save({ wanted, user }: { wanted: RetentionSettings; user: User }): Promise<RetentionState> {
      await db.transaction(async (tx) => {
        await saveRetention(tx, { wanted, actorId: user.id })
        await runNow(tx)
      })
      return read()
    },

    /** Deletes what is past its time, in slices. */
    async deleteOld({ signal }: { signal: AbortSignal }): Promise<void> {
      const { runDays, textDays } = await readSettings()
      const runs = runDays === null ? 0 : await deleteOldRuns(db, { before: daysAgo(runDays), signal })
      const texts = textDays === null ? 0 : await deleteOldTexts(db, { before: daysAgo(textDays), signal })
      await saveLastCleanup(db, { at: now().toISOString(), runs, texts })
    },
  }
}
