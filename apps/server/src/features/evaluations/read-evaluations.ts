import type {
  Evaluation,
  EvaluationCellDetail,
  ListEvaluationsQuery,
  ListedEvaluation,
  User,
  VersionTests,
  VersionTestsQuery,
} from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import type { Context, SqlContext } from '../../platform/context.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { findRecordRights, labelsByVersion, labelsNeedingSuite } from '../records/records.ts'
import { findOptionalSuiteToRun } from '../test-suites/test-suites.ts'
import { listCells } from './evaluation-cells.sql.ts'
import { toCellDetail, toEvaluation, toListed } from './evaluation-views.ts'
import { seesAllEvaluations } from './evaluations.policy.ts'
import {
  countEvaluations,
  countVersionTests,
  listEvaluationRows,
  type TestedRecord,
} from './evaluations.sql.ts'
import { type FrozenCase, hashOf } from './frozen-cases.ts'
import { openEvaluation, type Wanted } from './open-evaluation.ts'

const CURSOR = defineCursor({ list: 'evaluations', position: cursorPosition.id })

export async function findEvaluation(ctx: Context, wanted: Wanted): Promise<Evaluation> {
  const { db } = ctx
  const { id, user } = wanted
  const { owned, rights } = await openEvaluation(ctx, wanted)
  return toEvaluation({
    owned,
    rights,
    viewer: user,
    isCurrent:
      (!owned.isKept && owned.evaluation.status !== 'completed') ||
      (await hasCurrentCases(ctx, owned.evaluation)),
    cells: await listCells(db, { evaluationId: id, viewerId: user.id }),
    labels: await labelsByVersion(ctx, owned.record),
    gates: await labelsNeedingSuite(ctx),
  })
}

async function hasCurrentCases(
  ctx: SqlContext,
  { suiteId, casesHash }: { suiteId: number | null; casesHash: string },
): Promise<boolean> {
  const suite = suiteId === null ? undefined : await findOptionalSuiteToRun(ctx, suiteId)
  return suite !== undefined && hashOf(suite.cases) === casesHash
}

export async function findCell(
  ctx: Context,
  { casePosition, targetPosition, ...wanted }: Wanted & { casePosition: number; targetPosition: number },
): Promise<EvaluationCellDetail> {
  const { id, user } = wanted
  const { owned } = await openEvaluation(ctx, wanted)
  const place = { casePosition, targetPosition }
  const [found] = await listCells(ctx.db, { evaluationId: id, viewerId: user.id, place })
  const frozen = owned.evaluation.cases[casePosition] as FrozenCase | undefined
  if (found === undefined || frozen === undefined) throw new AppError('not_found', 'Cell not found')
  return toCellDetail(found, frozen, { viewer: user, isKept: owned.isKept })
}

export async function listEvaluations(
  ctx: Context,
  { user, query }: ListRequest<{ user: User }, ListEvaluationsQuery>,
): Promise<ListPage<ListedEvaluation>> {
  const { db } = ctx
  const listing = { ...(await toListing(ctx, { user, query })), suiteId: query.suiteId }
  const before = CURSOR.read(query.cursor)
  return toPage({
    rows: await listEvaluationRows(db, { ...listing, before, limit: query.limit + 1 }),
    limit: query.limit,
    toItem: (row) => toListed(row, user),
    total: before === undefined ? { count: await countEvaluations(db, listing) } : undefined,
    cursorOf: ({ evaluation }) => CURSOR.write(evaluation.id),
  })
}

export async function listVersionTests(
  ctx: Context,
  wanted: { user: User; query: VersionTestsQuery },
): Promise<VersionTests[]> {
  return countVersionTests(ctx.db, await toListing(ctx, wanted))
}

async function toListing(ctx: Context, { user, query }: { user: User; query: VersionTestsQuery }) {
  const record = recordIn(query)
  const rights = await findRecordRights(ctx, { ...record, user })
  if (!rights.canView) {
    throw new AppError('not_found', `${record.kind === 'prompt' ? 'Prompt' : 'Chain'} not found`)
  }
  return { record, viewer: user, startedBy: seesAllEvaluations(rights) ? undefined : user.id }
}

function recordIn({ promptId, chainId }: VersionTestsQuery): TestedRecord {
  return promptId === undefined ? { kind: 'chain', id: chainId ?? 0 } : { kind: 'prompt', id: promptId }
}
