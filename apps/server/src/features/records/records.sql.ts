import { eq, sql } from 'drizzle-orm'
import { chains, prompts, users } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { roleOf } from '../../database/statements/visible-rows.ts'
import { type RecordKey, TABLES } from './record-kinds.sql.ts'

interface Wanted extends RecordKey {
  viewerId: number | undefined
}

const OPENNESS = { chain: { sharedLevel: chains.sharedLevel }, prompt: { isPublic: prompts.isPublic } }

export async function findOptionalRecord(db: Executor, { kind, id, viewerId }: Wanted) {
  const { records } = TABLES[kind]
  const [found] = await db
    .select({
      id: records.id,
      ownerId: records.ownerId,
      owner: users.displayUsername,
      version: records.version,
      shareRole: roleOf(kind, sql.placeholder('viewerId')),
      ...OPENNESS[kind],
    })
    .from(records)
    .innerJoin(users, eq(users.id, records.ownerId))
    .where(eq(records.id, sql.placeholder('id')))
    .prepare(`find_${kind}_facts`)
    .execute({ id, viewerId: viewerId ?? null })
  return found
}

/**
 * Locks the record, its tags and shares until the transaction ends. Read it afterwards: a row that was waited for
 * would come with its tags and shares from before the wait.
 */
export async function lockRecord(tx: Transaction, { kind, id }: RecordKey): Promise<void> {
  const { records } = TABLES[kind]
  await tx.select({ id: records.id }).from(records).where(eq(records.id, id)).for('update')
}

/** A new revision, which lists and caches go by, where nothing but its shares is another. A chain is updated now, a prompt keeps its place in lists. */
export async function touchRecord(tx: Transaction, { kind, id }: RecordKey): Promise<void> {
  const { records } = TABLES[kind]
  const revision = sql`${records.revision} + 1`
  await tx
    .update(records)
    .set(kind === 'chain' ? { revision, updatedAt: sql`now()` } : { revision })
    .where(eq(records.id, id))
}
