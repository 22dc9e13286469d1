import type { FilesService } from '../files/files.service.ts'
import type { IdempotencyService } from '../idempotency/idempotency.service.ts'

export type UpkeepService = ReturnType<typeof createUpkeepService>

export interface UpkeepDeps {
  idempotency: Pick<IdempotencyService, 'deleteExpired'>
  accounts: { deleteExpiredSessions(): Promise<number> }
  files: Pick<FilesService, 'deleteUnused'>
  keyedCalls: { deleteExpired(): Promise<number> }
}

/** What keeps the database from growing with what nobody needs. */
export function createUpkeepService({ idempotency, accounts, files, keyedCalls }: UpkeepDeps) {
  return {
    /** Deletes what is past its time; returns how much of each. */
    async run(): Promise<{ idempotencyKeys: number; sessions: number; files: number; tokenCalls: number }> {
      return {
        idempotencyKeys: await idempotency.deleteExpired(),
        sessions: await accounts.deleteExpiredSessions(),
        files: await files.deleteUnused(),
        tokenCalls: await keyedCalls.deleteExpired(),
      }
    },
  }
}
