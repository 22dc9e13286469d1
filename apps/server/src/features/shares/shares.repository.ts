import type { Share, SharedKind, ShareRole } from '@catenary/contracts'
import { asc, eq } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { auditEvents, chainShares, promptShares, users } from '../../db/schema/index.ts'

const TABLES = { chain: chainShares, prompt: promptShares } as const satisfies Record<SharedKind, unknown>

interface Wanted {
  kind: SharedKind
  id: number
}

/** By username. */
export function listShares(executor: Executor, { kind, id }: Wanted): Promise<Share[]> {
  const shares = TABLES[kind]
  return executor
    .select({ username: users.displayUsername, role: shares.role })
    .from(shares)
    .innerJoin(users, eq(users.id, shares.userId))
    .where(eq(shares.recordId, id))
    .orderBy(asc(users.username))
}

export async function replaceShares(
  executor: Executor,
  { kind, id, shares }: Wanted & { shares: { userId: number; role: ShareRole }[] },
): Promise<void> {
  const table = TABLES[kind]
  await executor.delete(table).where(eq(table.recordId, id))
  const rows = shares.map((share) => ({ ...share, recordId: id }))
  if (rows.length > 0) await executor.insert(table).values(rows)
}

/** Notes for later who changed whom it is shared with. */
export async function createSharesEvent(
  executor: Executor,
  { kind, id, actorId, shares }: Wanted & { actorId: number; shares: Share[] },
): Promise<void> {
  const event = { actorId, action: `${kind}.shares_changed`, details: { shares } }
  await executor.insert(auditEvents).values({ ...event, objectType: kind, objectId: id })
}
