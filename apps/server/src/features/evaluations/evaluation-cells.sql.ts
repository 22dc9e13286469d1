import type { CaseGrade, FinishReason, User } from '@catenary/contracts'
import { and, asc, eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import {
  evaluationCells,
  evaluations,
  runSteps,
  runs,
  type StoredCellStatus,
  users,
} from '../../database/schema/index.ts'
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

export type CellRow = typeof evaluationCells.$inferSelect
export type NewCell = typeof evaluationCells.$inferInsert

/** One statement takes only so many values. */
const ROWS_TOGETHER = 500

export async function insertCells(tx: Transaction, cells: NewCell[]): Promise<void> {
  for (let from = 0; from < cells.length; from += ROWS_TOGETHER)
    await tx.insert(evaluationCells).values(cells.slice(from, from + ROWS_TOGETHER))
}

/** By case, then target; the runner is null if the run is gone. All cells, or the one at a position. */
export function listCells(
  db: Executor,
  {
    evaluationId,
    viewerId,
    place,
  }: {
    evaluationId: number
    viewerId: number
    place?: Pick<CellRow, 'casePosition' | 'targetPosition'>
  },
) {
  return db
    .select({ cell: evaluationCells, runBy: runs.userId, isOpen: isOpenCell(viewerId) })
    .from(evaluationCells)
    .innerJoin(evaluations, eq(evaluations.id, evaluationCells.evaluationId))
    .leftJoin(runs, eq(runs.id, evaluationCells.executionId))
    .where(place ? isAt({ evaluationId, ...place }) : eq(evaluationCells.evaluationId, evaluationId))
    .orderBy(asc(evaluationCells.casePosition), asc(evaluationCells.targetPosition))
}

export type ListedCell = Awaited<ReturnType<typeof listCells>>[number]

/** Ended cells by hash, each of the newest evaluation, whose results the viewer may see; everyone's, or their own. */
export async function findReusable(
  db: Executor,
  {
    record,
    hashes,
    viewer,
    startedBy,
  }: { record: TestedRecord; hashes: string[]; viewer: User; startedBy: number | undefined },
): Promise<Map<string, CellRow>> {
  // Found once, and not for each cell.
  const kept = db
    .select({ id: evaluations.id })
    .from(evaluations)
    .where(and(isOfRecord(record), isKeptFrom(viewer)))
  const rows = await db
    .selectDistinctOn([evaluationCells.hash], { cell: evaluationCells })
    .from(evaluationCells)
    .innerJoin(evaluations, eq(evaluations.id, evaluationCells.evaluationId))
    .leftJoin(runs, eq(runs.id, evaluationCells.executionId))
    .where(
      and(
        isOpenCell(viewer.id),
        notInArray(evaluationCells.evaluationId, kept),
        sql`${evaluationCells.hash} = any(${sql.param(hashes)}::text[])`,
        inArray(evaluationCells.status, ['passed', 'failed']),
        isOfRecord(record),
        startedBy === undefined ? undefined : eq(evaluations.startedBy, startedBy),
      ),
    )
    .orderBy(evaluationCells.hash, sql`${evaluationCells.evaluationId} desc`)
  return new Map(rows.map(({ cell }) => [cell.hash, cell]))
}

type CellPlace = Pick<CellRow, 'evaluationId' | 'casePosition' | 'targetPosition'>

const isAt = ({ evaluationId, casePosition, targetPosition }: CellPlace): SQL | undefined =>
  and(
    eq(evaluationCells.evaluationId, evaluationId),
    eq(evaluationCells.casePosition, casePosition),
    eq(evaluationCells.targetPosition, targetPosition),
  )

const newRunId = sql`nextval(pg_get_serial_sequence('executions', 'id'))`

export type Claimed =
  | { cell: CellRow }
  /** Why no cell begins; null: none waits, or another process drives it by now. */
  | { cell?: never; refusal: 'ceiling' | 'disabled' | null }

export async function claimNextCell(tx: Transaction, held: ClaimedEvaluation): Promise<Claimed> {
  const [evaluation] = await tx
    .select({
      ceilingNanos: evaluations.ceilingNanos,
      isDisabled: sql<boolean>`coalesce(${users.banned}, false)`,
    })
    .from(evaluations)
    .innerJoin(users, eq(users.id, evaluations.startedBy))
    .where(and(isClaimedAs(held), eq(evaluations.status, 'running')))
    .for('update', { of: evaluations })
  if (evaluation === undefined) return { refusal: null }
  const [next] = await tx
    .select({ casePosition: evaluationCells.casePosition, targetPosition: evaluationCells.targetPosition })
    .from(evaluationCells)
    .where(and(eq(evaluationCells.evaluationId, held.id), eq(evaluationCells.status, 'waiting')))
    .orderBy(asc(evaluationCells.casePosition), asc(evaluationCells.targetPosition))
    .limit(1)
  if (next === undefined) return { refusal: null }
  if (evaluation.isDisabled) return { refusal: 'disabled' }
  if ((await sumSpent(tx, held.id)) >= evaluation.ceilingNanos) return { refusal: 'ceiling' }
  const [cell] = await tx
    .update(evaluationCells)
    .set({ status: 'running', executionId: newRunId })
    .where(isAt({ evaluationId: held.id, ...next }))
    .returning()
  return cell === undefined ? { refusal: null } : { cell }
}

export async function sumSpent(db: Executor, evaluationId: number): Promise<number> {
  const [sum] = await db
    .select({ nanos: sql`${spent}`.mapWith(Number) })
    .from(evaluationCells)
    .where(eq(evaluationCells.evaluationId, evaluationId))
  return sum?.nanos ?? 0
}

export function listCellsIn(
  db: Executor,
  { evaluationId, status }: { evaluationId: number; status: StoredCellStatus },
): Promise<CellRow[]> {
  return db
    .select()
    .from(evaluationCells)
    .where(and(eq(evaluationCells.evaluationId, evaluationId), eq(evaluationCells.status, status)))
    .orderBy(asc(evaluationCells.casePosition), asc(evaluationCells.targetPosition))
}

const isHeld = ({ id, attempt }: ClaimedEvaluation): SQL =>
  sql`exists (select from ${evaluations} where ${evaluations.id} = ${id} and ${evaluations.attempt} = ${attempt})`

interface CellChange {
  cell: CellRow
  held: ClaimedEvaluation
}

/** Another id for a run that ended with its process before it had an answer; undefined where the cell is another's. */
export async function renewRun(db: Executor, { cell, held }: CellChange): Promise<CellRow | undefined> {
  const [renewed] = await db
    .update(evaluationCells)
    .set({ executionId: newRunId })
    .where(and(isAt(cell), eq(evaluationCells.status, 'running'), isHeld(held)))
    .returning()
  return renewed
}

export async function releaseCell(db: Executor, { cell, held }: CellChange): Promise<void> {
  await db
    .update(evaluationCells)
    .set({ status: 'waiting', executionId: null })
    .where(and(isAt(cell), eq(evaluationCells.status, 'running'), isHeld(held)))
}

export interface CellEnd {
  status: Exclude<StoredCellStatus, 'waiting' | 'running'>
  grade: CaseGrade | null
  reason: string | null
  judgeCostNanos: number | null
  judgeSavedNanos: number | null
  durationMs: number | null
  modelId: string | null
  costNanos: number | null
}

/** Stores a cell's result, once; does nothing if it has ended or another process drives it. */
export async function endCell(
  db: Executor,
  { cell, held, end }: CellChange & { end: Partial<CellEnd> },
): Promise<void> {
  await db
    .update(evaluationCells)
    .set(end)
    .where(and(isAt(cell), inArray(evaluationCells.status, ['running', 'answered']), isHeld(held)))
}

export async function findOptionalCellRun(db: Executor, id: number) {
  const sums = db
    .select({
      costNanos: sql<
        number | null
      >`case when bool_and(${runSteps.costNanos} is not null) then sum(${runSteps.costNanos}) end`
        .mapWith(Number)
        .as('cost'),
      durationMs: sql<number | null>`sum(${runSteps.durationMs})`.mapWith(Number).as('duration'),
      modelId: sql<string | null>`(array_agg(${runSteps.modelId} order by ${runSteps.position} desc))[1]`.as(
        'model_id',
      ),
      finishReason:
        sql<FinishReason | null>`(array_agg(${runSteps.finishReason} order by ${runSteps.position} desc))[1]`
          .mapWith(runSteps.finishReason)
          .as('finish_reason'),
    })
    .from(runSteps)
    .where(eq(runSteps.executionId, runs.id))
    .as('sums')
  const firstInput = sql<string>`coalesce((
    select input_content from ${runSteps} where ${runSteps.executionId} = ${runs.id} and position = 0), '')`
  const [found] = await db
    .select({
      status: runs.status,
      error: runs.error,
      errorCode: runs.errorCode,
      input: firstInput,
      output: runs.output,
      costNanos: sums.costNanos,
      durationMs: sums.durationMs,
      modelId: sums.modelId,
      finishReason: sums.finishReason,
    })
    .from(runs)
    .innerJoinLateral(sums, sql`true`)
    .where(eq(runs.id, id))
  return found
}

export type CellRun = NonNullable<Awaited<ReturnType<typeof findOptionalCellRun>>>
