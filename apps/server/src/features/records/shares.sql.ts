import type { Share, SharedKind, ShareRole } from '@catenary/contracts'
import { asc, eq } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { byLetters } from '../../db/schema/columns.ts'
import { auditEvents, chainShares, promptShares, users } from '../../db/schema/index.ts'
import type { RecordKey } from './record-port.ts'

const TABLES = { chain: chainShares, prompt: promptShares } as const satisfies Record<SharedKind, unknown>

/** By username. */
export function listShareRows(db: Executor, { kind, id }: RecordKey): Promise<Share[]> {
  const shares = TABLES[kind]
  return db
    .select({ username: users.displayUsername, role: shares.role })
    .from(shares)
    .innerJoin(users, eq(users.id, shares.userId))
    .where(eq(shares.recordId, id))
    .orderBy(asc(byLetters(users.username)))
}

export async function replaceShares(
  db: Executor,
  { kind, id, shares }: RecordKey & { shares: { userId: number; role: ShareRole }[] },
): Promise<void> {
  const table = TABLES[kind]
  await db.delete(table).where(eq(table.recordId, id))
  const rows = shares.map((share) => ({ ...share, recordId: id }))
  if (rows.length > 0) await db.insert(table).values(rows)
}

/** Records who changed the shares. */
export async function insertSharesEvent(
  db: Executor,
  { kind, id, actorId, shares }: RecordKey & { actorId: number; shares: Share[] },
): Promise<void> {
  const event = { actorId, action: `${kind}.shares_changed`, details: { shares } }
  await db.insert(auditEvents).values({ ...event, objectType: kind, objectId: id })
}
