import { activity } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'

export type ActivityRow = Omit<typeof activity.$inferInsert, 'id' | 'at'>

export async function insertActivity(db: Executor, row: ActivityRow): Promise<void> {
  await db.insert(activity).values(row)
}
