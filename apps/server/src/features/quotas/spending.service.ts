import type { Database } from '../../db/executor.ts'
import { prepareFindSpent } from './spending.repository.ts'

export interface Spent {
  /** In nano-dollars. */
  person: number
  everyone: number
}

export type SpendingService = ReturnType<typeof createSpendingService>

/** What was spent in this month, UTC; of what has ended, nothing is left out. */
export function createSpendingService({ db, now }: { db: Database; now: () => Date }) {
  const findSpent = prepareFindSpent(db)
  return {
    /** The month is as `2026-11`. */
    async inMonth(userId: number): Promise<Spent & { month: string }> {
      const month = now().toISOString().slice(0, 'YYYY-MM'.length)
      return { month, ...(await findSpent({ userId, since: `${month}-01T00:00:00Z` })) }
    },
  }
}
