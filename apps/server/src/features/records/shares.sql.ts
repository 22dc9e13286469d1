import type { Share, ShareRole } from '@catenary/contracts'
import { asc, eq } from 'drizzle-orm'
import { byLetters } from '../../database/schema/columns.ts'
import { users } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { type RecordKey, TABLES } from './record-kinds.sql.ts'

export function listShareRows(db: Executor, { kind, id }: RecordKey): Promise<Share[]> {
  const { shares } = TABLES[kind]
  return db
    .select({ username: users.displayUsername, role: shares.role })
    .from(shares)
    .innerJoin(users, eq(users.id, shares.userId))
    .where(eq(shares.recordId, id))
    .orderBy(asc(byLetters(users.username)))
}

export async function replaceShares(
  db: Executor,
  { kind, id, people }: RecordKey & { people: { userId: number; role: ShareRole }[] },
): Promise<void> {
  const { shares } = TABLES[kind]
  await db.delete(shares).where(eq(shares.recordId, id))
  const rows = people.map((person) => ({ ...person, recordId: id }))
  if (rows.length > 0) await db.insert(shares).values(rows)
}
