import type { FilesService } from '../files/files.service.ts'
import type { IdempotencyService } from '../idempotency/idempotency.service.ts'
import type { SchedulesService } from '../schedules/schedules.ts'

export type UpkeepService = ReturnType<typeof createUpkeepService>

export interface UpkeepDeps {
  idempotency: Pick<IdempotencyService, 'deleteExpired'>
  accounts: { deleteExpiredSessions(): Promise<number> }
  files: Pick<FilesService, 'deleteUnused'>
  schedules: Pick<SchedulesService, 'deleteOldOccurrences'>
  keyedCalls: { deleteExpired(): Promise<number> }
}

/** Deletes what has expired. */
export function createUpkeepService({ idempotency, accounts, files, schedules, keyedCalls }: UpkeepDeps) {
  return {
    /** Deletes what is past its time; returns how much of each. */
    async run(): Promise<
      Record<'idempotencyKeys' | 'sessions' | 'files' | 'occurrences' | 'tokenCalls', number>
    > {
      return {
        idempotencyKeys: await idempotency.deleteExpired(),
        sessions: await accounts.deleteExpiredSessions(),
        files: await files.deleteUnused(),
        occurrences: await schedules.deleteOldOccurrences(),
        tokenCalls: await keyedCalls.deleteExpired(),
      }
    },
  }
}
