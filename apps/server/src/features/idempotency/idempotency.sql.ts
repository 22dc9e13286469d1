import { and, eq, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import { idempotencyKeys as keys } from '../../database/schema/index.ts'
import type { Database, Executor } from '../../database/statements/executor.ts'
import { inBatches } from '../../database/statements/long-statements.ts'
import { keptKeyHours } from '../../database/statements/stored-setting.ts'

export interface KeyOfActor {
  actor: string
  key: string
}
export interface StoredReply {
  status: number
  type: string | null
  body: string | null
}
/** A call under way; `lockedUntil` changes hands with it. */
export interface Claim {
  id: number
  lockedUntil: Date
}

// The database's clock decides for all processes.
const secondsFromNow = (seconds: number): SQL<Date> => sql`now() + make_interval(secs => ${seconds})`
const isExpired = (keptHours: number): SQL =>
  lt(keys.createdAt, sql`now() - make_interval(hours => ${keptKeyHours(keptHours)})`)
const isHeldBy = (claim: Claim): SQL | undefined =>
  and(eq(keys.id, claim.id), eq(keys.status, 'running'), eq(keys.lockedUntil, claim.lockedUntil))

interface NewClaim extends KeyOfActor {
  fingerprint: string
  leaseSeconds: number
  keptHours: number
}

export async function createClaim(
  db: Executor,
  { leaseSeconds, keptHours, ...call }: NewClaim,
): Promise<Claim | undefined> {
  const lockedUntil = secondsFromNow(leaseSeconds)
  const isAbandoned = and(
    eq(keys.status, 'running'),
    lt(keys.lockedUntil, sql`now()`),
    eq(keys.fingerprint, call.fingerprint),
  )
  const [claim] = await db
    .insert(keys)
    .values({ ...call, lockedUntil })
    .onConflictDoUpdate({
      target: [keys.actor, keys.key],
      set: {
        fingerprint: call.fingerprint,
        status: 'running',
        replyStatus: null,
        replyType: null,
        replyBody: null,
        lockedUntil,
        createdAt: sql`now()`,
      },
      setWhere: or(isExpired(keptHours), isAbandoned),
    })
    .returning({ id: keys.id, lockedUntil: keys.lockedUntil })
  return claim
}

export async function findOptionalByKey(
  db: Executor,
  { actor, key }: KeyOfActor,
): Promise<{ fingerprint: string; reply: StoredReply | null } | undefined> {
  const [row] = await db
    .select()
    .from(keys)
    .where(and(eq(keys.actor, actor), eq(keys.key, key)))
  if (row === undefined) return undefined
  const { fingerprint, replyStatus: status, replyType: type, replyBody: body } = row
  return { fingerprint, reply: status === null ? null : { status, type, body } }
}

export async function extendClaim(
  db: Executor,
  { claim, leaseSeconds }: { claim: Claim; leaseSeconds: number },
): Promise<Claim | undefined> {
  const [extended] = await db
    .update(keys)
    .set({ lockedUntil: secondsFromNow(leaseSeconds) })
    .where(isHeldBy(claim))
    .returning({ id: keys.id, lockedUntil: keys.lockedUntil })
  return extended
}

export async function storeReply(
  db: Executor,
  { claim, reply }: { claim: Claim; reply: StoredReply },
): Promise<boolean> {
  const { rowCount } = await db
    .update(keys)
    .set({ status: 'done', replyStatus: reply.status, replyType: reply.type, replyBody: reply.body })
    .where(isHeldBy(claim))
  return rowCount === 1
}

export async function deleteClaim(db: Executor, claim: Claim): Promise<void> {
  await db.delete(keys).where(isHeldBy(claim))
}

export function deleteExpiredKeys(db: Database, { keptHours }: { keptHours: number }): Promise<number> {
  return inBatches(db, async (size) => {
    const slice = db.select({ id: keys.id }).from(keys).where(isExpired(keptHours)).limit(size)
    const { rowCount } = await db.delete(keys).where(inArray(keys.id, slice))
    return rowCount ?? 0
  })
}
