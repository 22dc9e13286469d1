import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { asciiKey } from '../../../database/schema/columns.ts'
import { runShares, runSteps, runs } from '../../../database/schema/index.ts'
import type { Executor } from '../../../database/statements/executor.ts'

const RUNS_LOOKED_AT = 200
const NAMES_MAX = 200

export interface SharedRecord {
  kind: 'chain' | 'prompt'
  id: number
}

interface Own {
  record: SharedRecord
  userId: number
}

const toColumns = ({ kind, id }: SharedRecord) =>
  kind === 'chain' ? { chainId: id, promptId: null } : { chainId: null, promptId: id }

function isOwnShare({ record: { kind, id }, userId }: Own): SQL | undefined {
  return and(eq(runShares.userId, userId), eq(kind === 'chain' ? runShares.chainId : runShares.promptId, id))
}

export async function markShared(db: Executor, own: { id: number; userId: number }): Promise<boolean> {
  const shared = await db
    .update(runs)
    .set({ sharedAttempt: sql`${runs.attempt}` })
    .where(and(eq(runs.id, own.id), eq(runs.userId, own.userId), ne(runs.status, 'running')))
    .returning({ id: runs.id })
  return shared.length > 0
}

export async function markUnshared(db: Executor, own: { id: number; userId: number }): Promise<boolean> {
  const found = await db
    .update(runs)
    .set({ sharedAttempt: null })
    .where(and(eq(runs.id, own.id), eq(runs.userId, own.userId)))
    .returning({ id: runs.id })
  return found.length > 0
}

export async function findOptionalRunShare(db: Executor, own: Own) {
  const [found] = await db.select({ names: runShares.names }).from(runShares).where(isOwnShare(own))
  return found
}

export async function saveRunShare(
  db: Executor,
  { record, userId, names }: Own & { names: string[] },
): Promise<void> {
  await db
    .insert(runShares)
    .values({ ...toColumns(record), userId, names })
    .onConflictDoUpdate({
      target: [record.kind === 'chain' ? runShares.chainId : runShares.promptId, runShares.userId],
      set: { names },
    })
}

export async function deleteRunShare(db: Executor, own: Own): Promise<void> {
  await db.delete(runShares).where(isOwnShare(own))
}

export async function listUsedNames(db: Executor, { record, userId }: Own): Promise<string[]> {
  const last = db
    .select({ id: runs.id })
    .from(runs)
    .where(
      and(
        eq(record.kind === 'chain' ? runs.chainId : runs.promptId, record.id),
        eq(runs.userId, userId),
        sql`${runs.privateValues} is not false`,
      ),
    )
    .orderBy(sql`${runs.id} desc`)
    .limit(RUNS_LOOKED_AT)
    .as('last')
  const { rows } = await db.execute<{ name: string }>(sql`
    select distinct ${asciiKey(sql`origin.key`)} as name
    from ${last} join ${runSteps} as step on step.execution_id = last.id,
      jsonb_each(step.resolved) as origin
    where origin.value ->> 'type' not in ('typed', 'none')
      and origin.value -> 'isPrivate' is distinct from 'false'::jsonb
    order by name limit ${NAMES_MAX}`)
  return rows.map(({ name }) => name)
}
