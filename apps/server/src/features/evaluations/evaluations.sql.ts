import type { EvaluationStatus, Role, User, VersionTests } from '@catenary/contracts'
import { and, desc, eq, getTableColumns, isNotNull, lt, ne, not, type SQL, sql } from 'drizzle-orm'
import { chains, evaluationCells, evaluations, prompts, runs, users } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import {
  type ClaimedEvaluation,
  isClaimedAs,
  isOfRecord,
  spent,
  type TestedRecord,
} from './evaluation-rows.sql.ts'
import { isKeptFrom } from './kept-evaluations.sql.ts'
import { isOpenCell } from './open-cells.sql.ts'

export type { ClaimedEvaluation, TestedRecord } from './evaluation-rows.sql.ts'

type EvaluationRow = typeof evaluations.$inferSelect
type NewEvaluation = Omit<
  typeof evaluations.$inferInsert,
  'id' | 'status' | 'stopReason' | 'attempt' | 'createdAt' | 'finishedAt'
>

export interface OwnedEvaluation {
  evaluation: EvaluationRow
  record: TestedRecord
  recordName: string
  starter: User
  isDisabled: boolean
}

export interface SeenEvaluation extends OwnedEvaluation {
  isKept: boolean
}

const recordName = sql<string>`coalesce(${prompts.title}, ${chains.name})`

function selectEvaluations(db: Executor) {
  return db
    .select({
      evaluation: getTableColumns(evaluations),
      recordName,
      starter: { id: users.id, username: users.displayUsername, email: users.email, role: users.role },
      isDisabled: sql<boolean>`coalesce(${users.banned}, false)`,
    })
    .from(evaluations)
    .innerJoin(users, eq(users.id, evaluations.startedBy))
    .leftJoin(prompts, eq(prompts.id, evaluations.promptId))
    .leftJoin(chains, eq(chains.id, evaluations.chainId))
}

function toOwned({
  evaluation,
  starter,
  ...found
}: Awaited<ReturnType<typeof selectEvaluations>>[number]): OwnedEvaluation {
  const record = recordOf(evaluation)
  return { ...found, evaluation, record, starter: { ...starter, role: starter.role as Role } }
}

export function recordOf({ promptId, chainId }: Pick<EvaluationRow, 'promptId' | 'chainId'>): TestedRecord {
  return promptId === null ? { kind: 'chain', id: chainId ?? 0 } : { kind: 'prompt', id: promptId }
}

export const toRecordColumns = ({ kind, id }: TestedRecord) =>
  kind === 'prompt' ? { promptId: id, chainId: null } : { promptId: null, chainId: id }

export async function findOptionalEvaluation(db: Executor, id: number): Promise<OwnedEvaluation | undefined> {
  const [found] = await selectEvaluations(db).where(eq(evaluations.id, id))
  return found && toOwned(found)
}

export async function isEvaluationKept(
  db: Executor,
  { id, viewer }: { id: number; viewer: User },
): Promise<boolean> {
  return (await db.$count(evaluations, and(eq(evaluations.id, id), isKeptFrom(viewer)))) > 0
}

export async function lockOptionalEvaluation(
  tx: Transaction,
  id: number,
): Promise<OwnedEvaluation | undefined> {
  const [found] = await selectEvaluations(tx).where(eq(evaluations.id, id)).for('update', { of: evaluations })
  return found && toOwned(found)
}

interface Listing {
  record: TestedRecord
  viewer: User
  suiteId?: number | undefined
  startedBy: number | undefined
}

function isListed({ record, suiteId, startedBy }: Omit<Listing, 'viewer'>): SQL | undefined {
  return and(
    isOfRecord(record),
    suiteId === undefined ? undefined : eq(evaluations.suiteId, suiteId),
    startedBy === undefined ? undefined : eq(evaluations.startedBy, startedBy),
  )
}

export function listEvaluationRows(
  db: Executor,
  { before, limit, ...listing }: Listing & { before: number | undefined; limit: number },
) {
  const { cases: _cases, estimate: _estimate, ...columns } = getTableColumns(evaluations)
  const ofCells = (aggregate: SQL) =>
    sql<number>`(select ${aggregate} from ${evaluationCells} where ${evaluationCells.evaluationId} = ${evaluations.id})`
  const isOpen = isOpenCell(listing.viewer.id)
  const endedCells = (which: SQL) => sql<number>`(
    select count(*)::integer
    from ${evaluationCells} left join ${runs} on ${runs.id} = ${evaluationCells.executionId}
    where ${evaluationCells.evaluationId} = ${evaluations.id}
      and ${evaluationCells.status} in ('passed', 'failed', 'not-run', 'error') and ${which}
  )`
  return db
    .select({
      evaluation: columns,
      recordName,
      startedBy: users.displayUsername,
      cells: ofCells(sql`count(*)::integer`),
      ended: endedCells(sql`true`),
      passed: endedCells(sql`${evaluationCells.status} = 'passed' and ${isOpen}`),
      private: endedCells(sql`not ${isOpen}`),
      spentNanos: ofCells(spent).mapWith(Number),
      isKept: isKeptFrom(listing.viewer),
    })
    .from(evaluations)
    .innerJoin(users, eq(users.id, evaluations.startedBy))
    .leftJoin(prompts, eq(prompts.id, evaluations.promptId))
    .leftJoin(chains, eq(chains.id, evaluations.chainId))
    .where(and(isListed(listing), before === undefined ? undefined : lt(evaluations.id, before)))
    .orderBy(desc(evaluations.id))
    .limit(limit)
}

export type ListedRow = Awaited<ReturnType<typeof listEvaluationRows>>[number]

export const countEvaluations = (db: Executor, listing: Listing): Promise<number> =>
  db.$count(evaluations, isListed(listing))

export function countVersionTests(db: Executor, listing: Listing): Promise<VersionTests[]> {
  const { id, suiteId } = evaluations
  const version = sql<number>`(target.value ->> 'version')::integer`
  const held = db
    .select({
      id,
      version: version.as('version'),
      position: sql<number>`target.ordinality - 1`.as('position'),
      newest: sql<number>`max(${id}) over (partition by ${suiteId}, ${version})`.as('newest'),
    })
    .from(evaluations)
    .crossJoinLateral(sql`jsonb_array_elements(${evaluations.targets}) with ordinality as target`)
    .where(
      and(
        isListed(listing),
        eq(evaluations.status, 'completed'),
        isNotNull(suiteId),
        not(isKeptFrom(listing.viewer)),
      ),
    )
    .as('held')
  return db
    .select({
      version: held.version,
      cells: sql<number>`count(*)::integer`,
      passed: sql<number>`count(*) filter (where ${evaluationCells.status} = 'passed')::integer`,
    })
    .from(held)
    .innerJoin(
      evaluationCells,
      and(eq(evaluationCells.evaluationId, held.id), eq(evaluationCells.targetPosition, held.position)),
    )
    .innerJoin(evaluations, eq(evaluations.id, held.id))
    .leftJoin(runs, eq(runs.id, evaluationCells.executionId))
    .where(and(eq(held.id, held.newest), isOpenCell(listing.viewer.id)))
    .groupBy(held.version)
    .orderBy(desc(held.version))
}

export async function countOwnEvaluations(
  db: Executor,
  userId: number,
): Promise<{ kept: number; running: number }> {
  const [counted] = await db
    .select({
      kept: sql<number>`count(*)::integer`,
      running: sql<number>`count(*) filter (where ${evaluations.status} = 'running')::integer`,
    })
    .from(evaluations)
    .where(eq(evaluations.startedBy, userId))
  return counted ?? { kept: 0, running: 0 }
}

/** One at a time of a person: they are counted before one is added. */
export async function lockStarter(tx: Transaction, userId: number): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
}

export async function insertEvaluation(tx: Transaction, evaluation: NewEvaluation): Promise<number> {
  const [created] = await tx.insert(evaluations).values(evaluation).returning({ id: evaluations.id })
  if (created === undefined) throw new Error('The insert returned no row')
  return created.id
}

/** Claims it: an earlier driver can't write any more. Undefined if it is not running. */
export async function claimEvaluation(db: Executor, id: number): Promise<OwnedEvaluation | undefined> {
  const [claimed] = await db
    .update(evaluations)
    .set({ attempt: sql`${evaluations.attempt} + 1` })
    .where(and(eq(evaluations.id, id), eq(evaluations.status, 'running')))
    .returning({ id: evaluations.id })
  return claimed && findOptionalEvaluation(db, id)
}

/** No further cell begins; nothing happens to one that was stopped, completed or claimed by another process before. */
export async function markStopped(
  db: Executor,
  { id, attempt, reason }: Omit<ClaimedEvaluation, 'attempt'> & { attempt?: number; reason: string },
): Promise<void> {
  await db
    .update(evaluations)
    .set({ status: 'stopped', stopReason: reason })
    .where(
      and(
        eq(evaluations.id, id),
        eq(evaluations.status, 'running'),
        attempt === undefined ? undefined : eq(evaluations.attempt, attempt),
      ),
    )
}

export async function markCompleted(db: Executor, held: ClaimedEvaluation): Promise<void> {
  const isLeft = sql`exists (select from ${evaluationCells} where ${evaluationCells.evaluationId} = ${held.id}
    and ${evaluationCells.status} not in ('passed', 'failed', 'not-run', 'error'))`
  await db
    .update(evaluations)
    .set({ status: 'completed' satisfies EvaluationStatus, stopReason: null, finishedAt: sql`now()` })
    .where(and(isClaimedAs(held), ne(evaluations.status, 'completed'), sql`not ${isLeft}`))
}

export async function markResumed(
  tx: Transaction,
  { id, ceilingNanos }: { id: number; ceilingNanos: number | undefined },
): Promise<number> {
  const [resumed] = await tx
    .update(evaluations)
    .set({
      status: 'running',
      stopReason: null,
      attempt: sql`${evaluations.attempt} + 1`,
      ...(ceilingNanos === undefined ? {} : { ceilingNanos }),
    })
    .where(eq(evaluations.id, id))
    .returning({ attempt: evaluations.attempt })
  return resumed?.attempt ?? 0
}

/** With its runs, as no history shows them; those that another evaluation reuses stay. */
export async function deleteEvaluationRow(tx: Transaction, id: number): Promise<void> {
  await tx.delete(runs).where(
    sql`${runs.trigger} = 'evaluation' and ${runs.id} in (
      select execution_id from ${evaluationCells} as own
      where own.evaluation_id = ${id} and own.execution_id is not null and not exists (
        select from ${evaluationCells} as other
        where other.execution_id = own.execution_id and other.evaluation_id <> ${id}
      ))`,
  )
  await tx.delete(evaluations).where(eq(evaluations.id, id))
}
