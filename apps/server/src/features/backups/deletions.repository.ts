import { asc, gt, lt } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { deletions } from '../../db/schema/index.ts'
import type { DeletedRecord } from '../../deleted-records.ts'
import { parseDeleted } from '../../deleted-records.ts'

/** What the database notes, with the ids of the notes. */
export async function listDeletions(
  executor: Executor,
  { after }: { after: number },
): Promise<{ id: number; record: DeletedRecord }[]> {
  const rows = await executor
    .select()
    .from(deletions)
    .where(gt(deletions.id, after))
    .orderBy(asc(deletions.id))
  return rows.flatMap(({ id, kind, key, deletedAt }) => {
    const record = parseDeleted({ kind, key, time: deletedAt.toISOString() })
    return record === undefined ? [] : { id, record }
  })
}

export async function forgetDeletions(executor: Executor, { before }: { before: Date }): Promise<void> {
  await executor.delete(deletions).where(lt(deletions.deletedAt, before))
}
