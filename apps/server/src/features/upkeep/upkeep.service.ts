import type { IdempotencyService } from '../idempotency/idempotency.service.ts'

export type UpkeepService = ReturnType<typeof createUpkeepService>

export interface UpkeepDeps {
  idempotency: Pick<IdempotencyService, 'deleteExpired'>
  accounts: { deleteExpiredSessions(): Promise<number> }
}

/** What keeps the database from growing with what nobody needs. */
export function createUpkeepService({ idempotency, accounts }: UpkeepDeps) {
  return {
    /** Deletes what is past its time; returns how much of each. */
    async run(): Promise<{ idempotencyKeys: number; sessions: number }> {
      return {
        idempotencyKeys: await idempotency.deleteExpired(),
        sessions: await accounts.deleteExpiredSessions(),
      }
    },
  }
}
