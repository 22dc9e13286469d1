import type { Transaction } from '../../db/executor.ts'

/** A time of a schedule. */
export interface Due {
  scheduleId: number
  dueAt: Date
}

/** Has the scheduler take up a schedule at a time, once the transaction is through. */
export interface DuePlan {
  plan(tx: Transaction, due: Due): Promise<void>
  cancel(tx: Transaction, due: Due): Promise<void>
}
