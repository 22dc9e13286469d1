import { ModelError } from '../../../platform/models/model-error.ts'
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
} from '../evaluation-cells.repository.ts'
import {
  type ClaimedEvaluation,
  claimEvaluation,
  markCompleted,
  markStopped,
  type OwnedEvaluation,
} from '../evaluations.repository.ts'
import type { EvaluationsDeps } from '../evaluations-deps.ts'
import type { FrozenCase } from '../frozen-cases.ts'
import { type ComparedAnswer, compareCells, gradeCell } from './grade-cell.ts'
import { type CellPlan, runCell } from './run-cell.ts'

const REASONS = {
  ceiling: 'The cost limit is reached. Raise it to continue.',
  disabled: 'The account that started it is disabled',
}

const UNGRADED = { status: 'error', reason: 'The answer could not be graded' } as const

/** One evaluation, as this process drives it. */
interface Drive {
  owned: OwnedEvaluation
  held: ClaimedEvaluation
  /** Aborts when another worker has it, or the process stops. */
  signal: AbortSignal
}

/** Continues an evaluation until its cells end or it is stopped. Throws when it should be retried. */
export async function driveEvaluation(
  deps: EvaluationsDeps,
  { id, signal }: { id: number; signal: AbortSignal },
): Promise<void> {
  const { db, log } = deps
  const owned = await claimEvaluation(db, id)
  if (owned === undefined) return
  const held = { id, attempt: owned.evaluation.attempt }
  const drive = { owned, held, signal }
  log.debug({ evaluationId: id, attempt: held.attempt }, 'evaluation is taken up')
  await runCells(deps, drive)
  signal.throwIfAborted()
  await stopIfRefused(deps, drive, () => compareAnswers(deps, drive))
  signal.throwIfAborted()
  await markCompleted(db, held)
}

/** Runs the cells that a dead worker left, then those that wait, until none is left or none may begin. */
async function runCells(deps: EvaluationsDeps, drive: Drive): Promise<void> {
  const { held, signal, owned } = drive
  const underWay = new Set<Promise<void>>()
  const failed = new AbortController()
  const isOver = AbortSignal.any([signal, failed.signal])
  const begin = (cell: CellRow, release: () => void) => {
    const ended = finishCell(deps, drive, cell)
      .catch((error: unknown) => failed.abort(error))
      .finally(() => {
        underWay.delete(ended)
        release()
      })
    underWay.add(ended)
  }
  const left = await listCellsIn(deps.db, { evaluationId: held.id, status: 'running' })
  while (!isOver.aborted) {
    const release = await deps.permits.acquire(owned.starter.id, isOver)
    if (release === undefined) break
    const next = left.shift() ?? (await claimCell(deps, drive))
    if (next === undefined) {
      release()
      break
    }
    begin(next, release)
  }
  await Promise.all(underWay)
  failed.signal.throwIfAborted()
}

async function claimCell({ db }: EvaluationsDeps, { held }: Drive): Promise<CellRow | undefined> {
  const claimed = await claimNextCell(db, held)
  if (claimed.cell !== undefined) return claimed.cell
  if (claimed.refusal !== null) await markStopped(db, { ...held, reason: REASONS[claimed.refusal] })
  return undefined
}

/** One cell, from its run to its result. */
async function finishCell(deps: EvaluationsDeps, drive: Drive, cell: CellRow): Promise<void> {
  const { db } = deps
  const { held } = drive
  const plan = planOf(drive, cell)
  const outcome = await runCell(deps, plan)
  if (drive.signal.aborted) return
  switch (outcome.kind) {
    case 'answered':
      return stopIfRefused(deps, drive, () => endWithGrade(deps, drive, { plan, run: outcome.run }))
    case 'failed': {
      const end = { status: 'error', reason: outcome.reason, ...metricsOf(outcome.run) } as const
      return endCell(db, { cell, held, end })
    }
    case 'lost': {
      const renewed = await renewRun(db, { cell, held })
      return renewed && finishCell(deps, drive, renewed)
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

/** What the run of a cell took, whatever its grade. */
const metricsOf = (run: CellRun | undefined) => ({
  durationMs: run?.durationMs ?? null,
  modelId: run?.modelId ?? null,
  costNanos: run?.costNanos ?? null,
})

async function endWithGrade(
  deps: EvaluationsDeps,
  { held, signal, owned }: Drive,
  { plan, run }: { plan: CellPlan; run: CellRun },
): Promise<void> {
  const { db, log } = deps
  const { judgeModel } = owned.evaluation
  const asked = { frozen: plan.frozen, run, judgeModel, userId: owned.starter.id, signal }
  const graded = await gradeCell(deps, asked).catch((error: unknown) => {
    if (error instanceof ModelError || signal.aborted) throw error
    // A retry would fail again, and pay the judge again.
    log.error({ err: error, evaluationId: held.id }, 'an answer could not be graded')
    return UNGRADED
  })
  await endCell(db, { cell: plan.cell, held, end: { ...graded, ...metricsOf(run) } })
}

/** Has a model choose among the answers of each case that asks for it, once all of them are there. */
async function compareAnswers(deps: EvaluationsDeps, drive: Drive): Promise<void> {
  const { db } = deps
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
    const compared = await compareCells(deps, { frozen, answers, judgeModel, userId: starter.id, signal })
    for (const { cell, end } of compared) await endCell(db, { cell, held, end })
  }
}

/** Stops the evaluation if there is no money for its judge; what is not graded yet waits for Resume. */
async function stopIfRefused(
  { db }: EvaluationsDeps,
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
