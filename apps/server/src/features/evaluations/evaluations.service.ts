import {
  type EstimateEvaluationRequest,
  EVALUATIONS_MAX,
  EVALUATIONS_UNDER_WAY_MAX,
  type Evaluation,
  type EvaluationCellDetail,
  type EvaluationEstimate,
  type ListEvaluationsQuery,
  type ListedEvaluation,
  type startEvaluationRequest,
  type User,
  type VersionTests,
  type VersionTestsQuery,
} from '@catenary/contracts'
import { usdToNanos } from '@catenary/domain'
import type * as z from 'zod'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import { labelsByVersion, labelsNeedingSuite, type RecordRights } from '../records/records.ts'
import { findOptionalSuiteToRun } from '../test-suites/test-suites.ts'
import { createCells, listCells } from './evaluation-cells.repository.ts'
import type { EvaluationPlans } from './evaluation-plans.service.ts'
import { toCellDetail, toEvaluation, toListed } from './evaluation-views.service.ts'
import {
  canDeleteEvaluation,
  canResumeEvaluation,
  canSeeEvaluation,
  canStopEvaluation,
  seesAllEvaluations,
} from './evaluations.policy.ts'
import {
  countEvaluations,
  countOwnEvaluations,
  createEvaluation,
  deleteEvaluation,
  findOptionalEvaluation,
  listEvaluations,
  listVersionTests,
  lockOptionalEvaluation,
  lockStarter,
  type OwnedEvaluation,
  resumeEvaluation,
  stopEvaluation,
  type TestedRecord,
  toRecordColumns,
} from './evaluations.repository.ts'
import { type FrozenCase, hashOf } from './frozen-cases.ts'
import type { TestedRecords } from './tested-records.service.ts'

const CURSOR = defineCursor({ list: 'evaluations', position: cursorPosition.id })

interface EvaluationsDeps {
  db: Database
  records: TestedRecords
  plan: EvaluationPlans
  findRefusal: (userId: number) => Promise<string | undefined>
  driveLater: (tx: Transaction, evaluation: { id: number; attempt: number }) => Promise<void>
}

interface Wanted {
  id: number
  user: User
}

export type EvaluationsService = ReturnType<typeof createEvaluationsService>

/** Evaluations: who starts, sees, stops and deletes them (D47, D56). */
export function createEvaluationsService({ db, records, plan, findRefusal, driveLater }: EvaluationsDeps) {
  /** Throws `not_found` for an evaluation that the person can't see. */
  async function requireVisible(
    executor: Executor,
    owned: OwnedEvaluation | undefined,
    user: User,
  ): Promise<{ owned: OwnedEvaluation; rights: RecordRights }> {
    const rights = owned && (await records.rightsOf(executor, owned.record, user))
    if (owned === undefined || rights === undefined || !canSeeEvaluation(user, owned.evaluation, rights)) {
      throw new AppError('not_found', 'Evaluation not found')
    }
    return { owned, rights }
  }

  const open = async (executor: Executor, { id, user }: Wanted) =>
    requireVisible(executor, await findOptionalEvaluation(executor, id), user)

  const openLocked = async (tx: Transaction, { id, user }: Wanted) =>
    requireVisible(tx, await lockOptionalEvaluation(tx, id), user)

  async function show(executor: Executor, { id, user }: Wanted): Promise<Evaluation> {
    const { owned, rights } = await open(executor, { id, user })
    const { status } = owned.evaluation
    const isCurrent = status !== 'completed' || (await hasCurrentCases(executor, owned.evaluation))
    return toEvaluation({
      ...{ owned, rights, viewer: user, isCurrent },
      cells: await listCells(executor, { evaluationId: id, viewerId: user.id }),
      labels: await labelsByVersion(executor, owned.record),
      gates: await labelsNeedingSuite(executor),
    })
  }

  /** Throws where the person has too many, or no money left (D56). */
  async function requireRoom(tx: Transaction, user: User): Promise<void> {
    await lockStarter(tx, user.id)
    const { kept, underWay } = await countOwnEvaluations(tx, user.id)
    if (underWay >= EVALUATIONS_UNDER_WAY_MAX) {
      throw new AppError(
        'too_many',
        `${underWay} of your evaluations are running. Stop one, or wait until it ends.`,
        {
          details: 'evaluations_under_way',
        },
      )
    }
    if (kept >= EVALUATIONS_MAX) {
      throw new AppError('conflict', `You have ${EVALUATIONS_MAX} evaluations. Delete one to start another.`)
    }
  }

  async function requireMoney(user: User): Promise<void> {
    const message = await findRefusal(user.id)
    if (message !== undefined) throw new AppError('too_many', message, { details: 'budget_spent' })
  }

  /** Whose evaluations of the record the person is shown; throws `not_found` where they don't see it. */
  async function requireListing(user: User, query: VersionTestsQuery) {
    const record = recordIn(query)
    const rights = await records.rightsOf(db, record, user)
    if (!rights.canView)
      throw new AppError('not_found', `${record.kind === 'prompt' ? 'Prompt' : 'Chain'} not found`)
    return { record, viewerId: user.id, startedBy: seesAllEvaluations(rights) ? undefined : user.id }
  }

  return {
    /** What it would cost, and what that rests on. */
    async estimate({
      user,
      request,
    }: {
      user: User
      request: EstimateEvaluationRequest
    }): Promise<EvaluationEstimate> {
      return (await plan(db, { user, request })).estimate
    },

    /** Freezes cases and targets, and begins. */
    async start({
      user,
      request,
    }: {
      user: User
      request: z.output<typeof startEvaluationRequest>
    }): Promise<Evaluation> {
      await requireMoney(user)
      const planned = await plan(db, { user, request })
      const { suite, targets, judgeModel, estimate, cells } = planned
      if (request.baseline >= targets.length) {
        throw fieldError('baseline', 'The baseline is one of the targets')
      }
      const id = await db.transaction(async (tx) => {
        await requireRoom(tx, user)
        const id = await createEvaluation(tx, {
          ...toRecordColumns(suite.record),
          ...{ suiteId: suite.id, suiteName: suite.name, startedBy: user.id, estimate, judgeModel },
          ...{ cases: suite.cases, casesHash: hashOf(suite.cases) },
          targets: targets.map(({ version, model, frozenLinks }) => ({ version, model, frozenLinks })),
          ceilingNanos: usdToNanos(request.ceilingUsd) ?? 0,
          baseline: request.baseline,
          reuse: request.reuse,
        })
        await createCells(
          tx,
          cells.map((cell) => ({ ...cell, evaluationId: id })),
        )
        await driveLater(tx, { id, attempt: 0 })
        return id
      })
      return show(db, { id, user })
    },

    /** Newest first: the person's own; for editors of the record, everyone's. */
    async list({
      user,
      query,
    }: ListRequest<{ user: User }, ListEvaluationsQuery>): Promise<ListPage<ListedEvaluation>> {
      const listing = { ...(await requireListing(user, query)), suiteId: query.suiteId }
      const before = CURSOR.read(query.cursor)
      return toPage({
        rows: await listEvaluations(db, { ...listing, before, limit: query.limit + 1 }),
        limit: query.limit,
        toItem: (row) => toListed(row, user),
        total: before === undefined ? { count: await countEvaluations(db, listing) } : undefined,
        cursorOf: ({ evaluation }) => CURSOR.write(evaluation.id),
      })
    },

    /** What the tests of each version came to, as far as `list` shows the evaluations. */
    async versions({ user, query }: { user: User; query: VersionTestsQuery }): Promise<VersionTests[]> {
      return listVersionTests(db, await requireListing(user, query))
    },

    /** Throws `not_found` for an evaluation that the person can't see. */
    find: (wanted: Wanted): Promise<Evaluation> => show(db, wanted),

    /** One cell with all that was found in its answer. */
    async findCell({
      casePosition,
      targetPosition,
      ...wanted
    }: Wanted & { casePosition: number; targetPosition: number }): Promise<EvaluationCellDetail> {
      const { owned } = await open(db, wanted)
      const place = { casePosition, targetPosition }
      const cells = await listCells(db, { evaluationId: wanted.id, viewerId: wanted.user.id, place })
      const frozen = owned.evaluation.cases[casePosition] as FrozenCase | undefined
      const [found] = cells
      if (found === undefined || frozen === undefined) throw new AppError('not_found', 'Cell not found')
      return toCellDetail(found, frozen, wanted.user)
    },

    /** No further cell begins; those under way end. */
    async stop(wanted: Wanted): Promise<Evaluation> {
      await db.transaction(async (tx) => {
        const { owned, rights } = await openLocked(tx, wanted)
        const { user, id } = wanted
        if (!canStopEvaluation(user, owned.evaluation, rights)) {
          throw new AppError('forbidden', 'You may not stop this evaluation')
        }
        await stopEvaluation(tx, { id, reason: `Stopped by ${user.username}` })
      })
      return show(db, wanted)
    },

    /** Goes on with the cells that are left, with another ceiling where one is given. */
    async resume({
      ceilingUsd,
      ...wanted
    }: Wanted & { ceilingUsd: number | undefined }): Promise<Evaluation> {
      await requireMoney(wanted.user)
      await db.transaction(async (tx) => {
        await requireResumable(tx, wanted)
        await requireRoom(tx, wanted.user)
        const ceilingNanos = usdToNanos(ceilingUsd ?? null) ?? undefined
        const attempt = await resumeEvaluation(tx, { id: wanted.id, ceilingNanos })
        await driveLater(tx, { id: wanted.id, attempt })
      })
      return show(db, wanted)
    },

    /** With its runs. */
    delete: (wanted: Wanted): Promise<void> =>
      db.transaction(async (tx) => {
        const { owned } = await openLocked(tx, wanted)
        if (!canDeleteEvaluation(wanted.user, owned.evaluation)) {
          throw new AppError('forbidden', 'Only the person who started an evaluation may delete it')
        }
        if (owned.evaluation.status === 'running') {
          throw new AppError('conflict', 'This evaluation is running. Stop it first.')
        }
        await deleteEvaluation(tx, wanted.id)
      }),
  }

  async function requireResumable(tx: Transaction, wanted: Wanted): Promise<void> {
    const { owned, rights } = await openLocked(tx, wanted)
    if (!canResumeEvaluation(wanted.user, owned.evaluation, rights)) {
      throw new AppError('forbidden', 'Only the person who started an evaluation may resume it')
    }
    const { status } = owned.evaluation
    if (status === 'completed') throw new AppError('conflict', 'This evaluation is complete')
    if (status === 'running') throw new AppError('conflict', 'This evaluation is running')
  }
}

/** Whether the suite's cases are still those that ran. */
async function hasCurrentCases(
  executor: Executor,
  { suiteId, casesHash }: { suiteId: number | null; casesHash: string },
): Promise<boolean> {
  const suite = suiteId === null ? undefined : await findOptionalSuiteToRun(executor, suiteId)
  return suite !== undefined && hashOf(suite.cases) === casesHash
}

function recordIn({ promptId, chainId }: VersionTestsQuery): TestedRecord {
  return promptId === undefined ? { kind: 'chain', id: chainId ?? 0 } : { kind: 'prompt', id: promptId }
}
