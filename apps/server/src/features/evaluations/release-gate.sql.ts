import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import {
  chains,
  evaluationCells,
  evaluations,
  prompts,
  runs,
  type StoredTarget,
  users,
} from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { roleOf } from '../../database/statements/visible-rows.ts'
import { isOfRecord, type TestedRecord } from './evaluation-rows.sql.ts'
import { isOpenCell } from './open-cells.sql.ts'

const CANDIDATES_MAX = 50

interface Candidate {
  id: number
  targets: StoredTarget[]
}

/** Only runs by editors of the record count: other people's variables could let anything pass. */
function isStartedByEditor({ kind, id }: TestedRecord): SQL {
  const records = kind === 'prompt' ? prompts : chains
  return sql`(${users.role} = 'admin' or exists (
    select from ${records} where ${records.id} = ${id}
      and (${records.ownerId} = ${users.id} or ${roleOf(kind, users.id)} = 'editor')))`
}

export function listCandidates(
  db: Executor,
  {
    suiteId,
    casesHash,
    record,
    version,
  }: { suiteId: number; casesHash: string; record: TestedRecord; version: number },
): Promise<Candidate[]> {
  return db
    .select({ id: evaluations.id, targets: evaluations.targets })
    .from(evaluations)
    .innerJoin(users, eq(users.id, evaluations.startedBy))
    .where(
      and(
        isOfRecord(record),
        eq(evaluations.suiteId, suiteId),
        eq(evaluations.status, 'completed'),
        eq(evaluations.casesHash, casesHash),
        sql`${evaluations.targets} @> ${JSON.stringify([{ version }])}::jsonb`,
        isStartedByEditor(record),
      ),
    )
    .orderBy(desc(evaluations.id))
    .limit(CANDIDATES_MAX)
}

export async function listCellsOfVersion(
  db: Executor,
  { evaluation, version, viewerId }: { evaluation: Candidate; version: number; viewerId: number },
) {
  const positions = evaluation.targets.flatMap((target, position) =>
    target.version === version ? position : [],
  )
  const rows = await db
    .select({
      casePosition: evaluationCells.casePosition,
      targetPosition: evaluationCells.targetPosition,
      status: evaluationCells.status,
      reason: evaluationCells.reason,
      isOpen: isOpenCell(viewerId),
    })
    .from(evaluationCells)
    .innerJoin(evaluations, eq(evaluations.id, evaluationCells.evaluationId))
    .leftJoin(runs, eq(runs.id, evaluationCells.executionId))
    .where(
      and(
        eq(evaluationCells.evaluationId, evaluation.id),
        sql`${evaluationCells.targetPosition} = any(${sql.param(positions)}::integer[])`,
      ),
    )
    .orderBy(asc(evaluationCells.casePosition), asc(evaluationCells.targetPosition))
  return rows.map((row) => ({ ...row, model: evaluation.targets[row.targetPosition]?.model ?? null }))
}
