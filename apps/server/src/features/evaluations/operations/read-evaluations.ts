import type {
  Evaluation,
  EvaluationCellDetail,
  ListEvaluationsQuery,
  ListedEvaluation,
  User,
  VersionTests,
  VersionTestsQuery,
} from '@catenary/contracts'
import type { Executor } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../../list-page.ts'
import { findRecordRights, labelsByVersion, labelsNeedingSuite } from '../../records/records.ts'
import { findOptionalSuiteToRun } from '../../test-suites/test-suites.ts'
import { listCells } from '../evaluation-cells.repository.ts'
import { toCellDetail, toEvaluation, toListed } from '../evaluation-views.ts'
import { seesAllEvaluations } from '../evaluations.policy.ts'
import {
  countEvaluations,
  countVersionTests,
  listEvaluationRows,
  type TestedRecord,
} from '../evaluations.repository.ts'
import type { EvaluationsDeps } from '../evaluations-deps.ts'
import { type FrozenCase, hashOf } from '../frozen-cases.ts'
import { openEvaluation, type Wanted } from './open-evaluation.ts'

const CURSOR = defineCursor({ list: 'evaluations', position: cursorPosition.id })

/** With all of its cells. Throws `not_found` for an evaluation that the person can't see. */
export async function findEvaluation(deps: EvaluationsDeps, wanted: Wanted): Promise<Evaluation> {
  const { db } = deps
  const { id, user } = wanted
  const { owned, rights } = await openEvaluation(deps, db, wanted)
  return toEvaluation({
    owned,
    rights,
    viewer: user,
    isCurrent:
      (!owned.isKept && owned.evaluation.status !== 'completed') ||
      (await hasCurrentCases(db, owned.evaluation)),
    cells: await listCells(db, { evaluationId: id, viewerId: user.id }),
    labels: await labelsByVersion(db, owned.record),
    gates: await labelsNeedingSuite(db),
  })
}

/** Whether the suite's cases are still those that ran. */
async function hasCurrentCases(
  executor: Executor,
  { suiteId, casesHash }: { suiteId: number | null; casesHash: string },
): Promise<boolean> {
  const suite = suiteId === null ? undefined : await findOptionalSuiteToRun(executor, suiteId)
  return suite !== undefined && hashOf(suite.cases) === casesHash
}

/** One cell with what each assertion found in its answer. */
export async function findCell(
  deps: EvaluationsDeps,
  { casePosition, targetPosition, ...wanted }: Wanted & { casePosition: number; targetPosition: number },
): Promise<EvaluationCellDetail> {
  const { id, user } = wanted
  const { owned } = await openEvaluation(deps, deps.db, wanted)
  const place = { casePosition, targetPosition }
  const [found] = await listCells(deps.db, { evaluationId: id, viewerId: user.id, place })
  const frozen = owned.evaluation.cases[casePosition] as FrozenCase | undefined
  if (found === undefined || frozen === undefined) throw new AppError('not_found', 'Cell not found')
  return toCellDetail(found, frozen, { viewer: user, isKept: owned.isKept })
}

/** Newest first: the person's own; for editors of the record, everyone's. */
export async function listEvaluations(
  deps: EvaluationsDeps,
  { user, query }: ListRequest<{ user: User }, ListEvaluationsQuery>,
): Promise<ListPage<ListedEvaluation>> {
  const { db } = deps
  const listing = { ...(await toListing(deps, { user, query })), suiteId: query.suiteId }
  const before = CURSOR.read(query.cursor)
  return toPage({
    rows: await listEvaluationRows(db, { ...listing, before, limit: query.limit + 1 }),
    limit: query.limit,
    toItem: (row) => toListed(row, user),
    total: before === undefined ? { count: await countEvaluations(db, listing) } : undefined,
    cursorOf: ({ evaluation }) => CURSOR.write(evaluation.id),
  })
}

/** How many tests each version passed, in the evaluations that `listEvaluations` shows. */
export async function listVersionTests(
  deps: EvaluationsDeps,
  wanted: { user: User; query: VersionTestsQuery },
): Promise<VersionTests[]> {
  return countVersionTests(deps.db, await toListing(deps, wanted))
}

/** Throws `not_found` for a record that the person can't see. */
async function toListing(
  { db, ports }: EvaluationsDeps,
  { user, query }: { user: User; query: VersionTestsQuery },
) {
  const record = recordIn(query)
  const rights = await findRecordRights(ports, db, { ...record, user })
  if (!rights.canView) {
    throw new AppError('not_found', `${record.kind === 'prompt' ? 'Prompt' : 'Chain'} not found`)
  }
  return { record, viewer: user, startedBy: seesAllEvaluations(rights) ? undefined : user.id }
}

function recordIn({ promptId, chainId }: VersionTestsQuery): TestedRecord {
  return promptId === undefined ? { kind: 'chain', id: chainId ?? 0 } : { kind: 'prompt', id: promptId }
}
