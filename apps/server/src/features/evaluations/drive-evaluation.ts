import type { Transaction } from '../../database/statements/executor.ts'
import { FairSemaphore } from '../../limits/fair-semaphore.ts'
import { type Context, onePerApp, transaction } from '../../platform/context.ts'
import { ModelError } from '../../platform/models/model-error.ts'
import {
  type CellRow,
  type CellRun,
  claimNextCell,
  endCell,
  findOptionalCellRun,
  listCellsIn,
  releaseCell,
  renewRun,
  sumSpent,
} from './evaluation-cells.sql.ts'
import {
  type ClaimedEvaluation,
  claimEvaluation,
  markCompleted,
  markStopped,
  type OwnedEvaluation,
} from './evaluations.sql.ts'
import type { FrozenCase } from './frozen-cases.ts'
import { type ComparedAnswer, compareCells, gradeCell } from './grade-cell.ts'
import { type CellPlan, runCell } from './run-cell.ts'

const REASONS = {
  ceiling: 'The cost limit is reached. Raise it to continue.',
  disabled: 'The account that started it is disabled',
}

const UNGRADED = { status: 'error', reason: 'The answer could not be graded' } as const

/** In each process; most of them wait for a permit for their next cell. */
const EVALUATIONS_AT_ONCE = 32
/** Cells at once in one process, of all evaluations; one person's take at most three quarters of them. */
const CELLS_AT_ONCE = 8
const permits = onePerApp(() => new FairSemaphore(CELLS_AT_ONCE))

/** One job for each running evaluation: the process that holds the job drives it; after its death, another does. */
const jobsOf = ({ jobs }: Context) => jobs.queue<{ evaluationId: number }>('evaluations')

/** The attempt tells a resumed one from a job that is about to end. */
export function driveLater(
  ctx: Context<Transaction>,
  { id, attempt }: { id: number; attempt: number },
): Promise<void> {
  return jobsOf(ctx).send(ctx.db, { key: `${id}:${attempt}`, payload: { evaluationId: id } })
}

export function workEvaluations(ctx: Context): void {
  jobsOf(ctx).work({
    concurrency: EVALUATIONS_AT_ONCE,
    handle: ({ payload, signal }) => driveEvaluation(ctx, { id: payload.evaluationId, signal }),
  })
}

interface Drive {
  owned: OwnedEvaluation
  held: ClaimedEvaluation
  signal: AbortSignal
}

/** Continues an evaluation until its cells end or it is stopped. Throws when it should be retried. */
async function driveEvaluation(
  ctx: Context,
  { id, signal }: { id: number; signal: AbortSignal },
): Promise<void> {
  const { db, log } = ctx
  const owned = await claimEvaluation(db, id)
  if (owned === undefined) return
  const held = { id, attempt: owned.evaluation.attempt }
  const drive = { owned, held, signal }
  log.debug({ evaluationId: id, attempt: held.attempt }, 'evaluation is taken up')
  await runCells(ctx, drive)
  signal.throwIfAborted()
  await stopIfRefused(ctx, drive, () => compareAnswers(ctx, drive))
  signal.throwIfAborted()
  await markCompleted(db, held)
}

async function runCells(ctx: Context, drive: Drive): Promise<void> {
  const { held, signal, owned } = drive
  const underWay = new Set<Promise<void>>()
  const failed = new AbortController()
  const isOver = AbortSignal.any([signal, failed.signal])
  const begin = (cell: CellRow, release: () => void) => {
    const ended = finishCell(ctx, drive, cell)
      .catch((error: unknown) => failed.abort(error))
      .finally(() => {
        underWay.delete(ended)
        release()
      })
    underWay.add(ended)
  }
  const left = await listCellsIn(ctx.db, { evaluationId: held.id, status: 'running' })
  while (!isOver.aborted) {
    const release = await permits(ctx).acquire(owned.starter.id, isOver)
    if (release === undefined) break
    const next = left.shift() ?? (await claimCell(ctx, drive))
    if (next === undefined) {
      release()
      break
    }
    begin(next, release)
  }
  await Promise.all(underWay)
  failed.signal.throwIfAborted()
}

async function claimCell(ctx: Context, { held }: Drive): Promise<CellRow | undefined> {
  const claimed = await transaction(ctx, ({ db }) => claimNextCell(db, held))
  if (claimed.cell !== undefined) return claimed.cell
  if (claimed.refusal !== null) await markStopped(ctx.db, { ...held, reason: REASONS[claimed.refusal] })
  return undefined
}

async function finishCell(ctx: Context, drive: Drive, cell: CellRow): Promise<void> {
  const { db } = ctx
  const { held } = drive
  const plan = planOf(drive, cell)
  const outcome = await runCell(ctx, plan)
  if (drive.signal.aborted) return
  switch (outcome.kind) {
    case 'answered':
      return stopIfRefused(ctx, drive, () => endWithGrade(ctx, drive, { plan, run: outcome.run }))
    case 'failed': {
      const end = { status: 'error', reason: outcome.reason, ...metricsOf(outcome.run) } as const
      return endCell(db, { cell, held, end })
    }
    case 'not-run':
      return endCell(db, {
        cell,
        held,
        end: { status: 'not-run', reason: outcome.reason, ...metricsOf(undefined) },
      })
    case 'lost': {
      const renewed = await renewRun(db, { cell, held })
      return renewed && finishCell(ctx, drive, renewed)
    }
    case 'refused':
      await releaseCell(db, { cell, held })
      return markStopped(db, { ...held, reason: outcome.reason })
  }
}

function planOf({ owned }: Drive, cell: CellRow): CellPlan {
  const { evaluation, record, starter } = owned
  const target = evaluation.targets[cell.targetPosition]
  const frozen = evaluation.cases[cell.casePosition] as FrozenCase | undefined
  if (target === undefined || frozen === undefined) throw new Error('A cell lies outside of its evaluation')
  return { cell, record, user: starter, ...target, frozen }
}

const metricsOf = (run: CellRun | undefined) => ({
  durationMs: run?.durationMs ?? null,
  modelId: run?.modelId ?? null,
  costNanos: run?.costNanos ?? null,
})

async function endWithGrade(
  ctx: Context,
  { held, signal, owned }: Drive,
  { plan, run }: { plan: CellPlan; run: CellRun },
): Promise<void> {
  const { db, log } = ctx
  const { judgeModel } = owned.evaluation
  const asked = { frozen: plan.frozen, run, judgeModel, userId: owned.starter.id, signal }
  const graded = await gradeCell(ctx, asked).catch((error: unknown) => {
    if (error instanceof ModelError || signal.aborted) throw error
    // A retry would fail again, and pay the judge again.
    log.error({ err: error, evaluationId: held.id }, 'an answer could not be graded')
    return UNGRADED
  })
  await endCell(db, { cell: plan.cell, held, end: { ...graded, ...metricsOf(run) } })
}

async function compareAnswers(ctx: Context, drive: Drive): Promise<void> {
  const { db } = ctx
  const { held, signal, owned } = drive
  const { evaluation, starter } = owned
  const answered = await listCellsIn(db, { evaluationId: held.id, status: 'answered' })
  const byCase = Map.groupBy(answered, ({ casePosition }) => casePosition)
  const waiting = await listCellsIn(db, { evaluationId: held.id, status: 'waiting' })
  for (const [position, cells] of byCase) {
    if (signal.aborted) return
    if (waiting.some(({ casePosition }) => casePosition === position)) continue
    if ((await sumSpent(db, held.id)) >= evaluation.ceilingNanos) {
      return markStopped(db, { ...held, reason: REASONS.ceiling })
    }
    const answers: ComparedAnswer[] = []
    for (const cell of cells) {
      const found = await findOptionalCellRun(db, cell.executionId ?? 0)
      answers.push({ cell, text: found?.output ?? '' })
    }
    const frozen = evaluation.cases[position] as FrozenCase
    const { judgeModel } = evaluation
    const compared = await compareCells(ctx, { frozen, answers, judgeModel, userId: starter.id, signal })
    for (const { cell, end } of compared) await endCell(db, { cell, held, end })
  }
}

/** Stops the evaluation if there is no money for its judge; what is not graded yet waits for Resume. */
async function stopIfRefused(
  { db }: Context,
  { held, signal }: Drive,
  grade: () => Promise<void>,
): Promise<void> {
  try {
    await grade()
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof ModelError) || error.code !== 'budget_spent') throw error
    await markStopped(db, { ...held, reason: error.message })
  }
}
