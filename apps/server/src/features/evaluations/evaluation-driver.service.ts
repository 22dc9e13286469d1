import type { Database } from '../../db/executor.ts'
import { FairSemaphore } from '../../platform/limits/fair-semaphore.ts'
import type { Log } from '../../platform/log/log.ts'
import { ModelError } from '../../platform/models/model-error.ts'
import type { CellGrader, ComparedAnswer } from './cell-grader.service.ts'
import type { CellPlan, CellRuns } from './cell-runs.service.ts'
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
} from './evaluation-cells.repository.ts'
import {
  type ClaimedEvaluation,
  claimEvaluation,
  completeEvaluation,
  type OwnedEvaluation,
  stopEvaluation,
} from './evaluations.repository.ts'
import type { FrozenCase } from './frozen-cases.ts'

/** Cells at once in one process, of all evaluations; one person's take at most three quarters of them. */
const CELLS_AT_ONCE = 8

const REASONS = {
  ceiling: 'The cost limit is reached. Raise it to continue.',
  disabled: 'The account that started it is disabled',
}

const UNGRADED = { status: 'error', reason: 'The answer could not be graded' } as const

interface DriverDeps {
  db: Database
  cellRuns: CellRuns
  grader: CellGrader
  log: Log
}

/** One evaluation, as this process drives it. */
interface Drive {
  owned: OwnedEvaluation
  held: ClaimedEvaluation
  /** Aborts when another worker has it, or the process stops. */
  signal: AbortSignal
}

export type EvaluationDriver = ReturnType<typeof createEvaluationDriver>

/** Takes evaluations through their cells, a bounded number at a time. */
export function createEvaluationDriver({ db, cellRuns, grader, log }: DriverDeps) {
  const permits = new FairSemaphore(CELLS_AT_ONCE)

  function planOf({ owned }: Drive, cell: CellRow): CellPlan {
    const { evaluation, record, starter } = owned
    const target = evaluation.targets[cell.targetPosition]
    const frozen = evaluation.cases[cell.casePosition] as FrozenCase | undefined
    if (target === undefined || frozen === undefined) throw new Error('A cell lies outside of its evaluation')
    return { cell, record, user: starter, ...target, frozen }
  }

  const stop = ({ held }: Drive, reason: string) => stopEvaluation(db, { ...held, reason })

  /** What the run of a cell took, whatever is said of its answer. */
  const metricsOf = (run: CellRun | undefined) => ({
    durationMs: run?.durationMs ?? null,
    modelId: run?.modelId ?? null,
    costNanos: run?.costNanos ?? null,
  })

  async function grade(drive: Drive, plan: CellPlan, run: CellRun): Promise<void> {
    const { held, signal, owned } = drive
    const { judgeModel } = owned.evaluation
    const asked = { frozen: plan.frozen, run, judgeModel, userId: owned.starter.id, signal }
    const graded = await grader.grade(asked).catch((error: unknown) => {
      if (error instanceof ModelError || signal.aborted) throw error
      // Tried again it would fail again, and its judge cost again.
      log.error({ err: error, evaluationId: held.id }, 'an answer could not be graded')
      return UNGRADED
    })
    await endCell(db, { cell: plan.cell, held, end: { ...graded, ...metricsOf(run) } })
  }

  /** Stops where its judge may not be asked for want of money: what it was to grade waits for Resume. */
  async function unlessRefused(drive: Drive, grading: () => Promise<void>): Promise<void> {
    try {
      await grading()
    } catch (error) {
      if (drive.signal.aborted) return
      if (!(error instanceof ModelError) || error.code !== 'budget_spent') throw error
      await stop(drive, error.message)
    }
  }

  /** One cell, from its run to its result. */
  async function run(drive: Drive, cell: CellRow): Promise<void> {
    const { held } = drive
    const plan = planOf(drive, cell)
    const outcome = await cellRuns.finish(plan)
    if (drive.signal.aborted) return
    switch (outcome.kind) {
      case 'answered':
        return unlessRefused(drive, () => grade(drive, plan, outcome.run))
      case 'failed': {
        const end = { status: 'error', reason: outcome.reason, ...metricsOf(outcome.run) } as const
        return endCell(db, { cell, held, end })
      }
      case 'lost': {
        const renewed = await renewRun(db, { cell, held })
        return renewed && run(drive, renewed)
      }
      case 'refused':
        await releaseCell(db, { cell, held })
        return stop(drive, outcome.reason)
    }
  }

  /** Runs what was left under way, then what waits, until nothing does or nothing may. */
  async function runCells(drive: Drive): Promise<void> {
    const { held, signal, owned } = drive
    const underWay = new Set<Promise<void>>()
    const failed = new AbortController()
    const isOver = AbortSignal.any([signal, failed.signal])
    const begin = (cell: CellRow, release: () => void) => {
      const ended = run(drive, cell)
        .catch((error: unknown) => failed.abort(error))
        .finally(() => {
          underWay.delete(ended)
          release()
        })
      underWay.add(ended)
    }
    const left = await listCellsIn(db, { evaluationId: held.id, status: 'running' })
    while (!isOver.aborted) {
      const leave = await permits.acquire(owned.starter.id, isOver)
      if (leave === undefined) break
      const next = left.shift() ?? (await claim(drive))
      if (next === undefined) {
        leave()
        break
      }
      begin(next, leave)
    }
    await Promise.all(underWay)
    failed.signal.throwIfAborted()
  }

  async function claim(drive: Drive): Promise<CellRow | undefined> {
    const claimed = await claimNextCell(db, drive.held)
    if (claimed.cell !== undefined) return claimed.cell
    if (claimed.refusal !== null) await stop(drive, REASONS[claimed.refusal])
    return undefined
  }

  /** Has a model choose among the answers of each case that asks for it, once all of them are there. */
  async function compareAnswers(drive: Drive): Promise<void> {
    const { held, signal, owned } = drive
    const { evaluation, starter } = owned
    const answered = await listCellsIn(db, { evaluationId: held.id, status: 'answered' })
    const byCase = Map.groupBy(answered, ({ casePosition }) => casePosition)
    const waiting = await listCellsIn(db, { evaluationId: held.id, status: 'waiting' })
    for (const [position, cells] of byCase) {
      if (signal.aborted) return
      if (waiting.some(({ casePosition }) => casePosition === position)) continue
      if ((await sumSpent(db, held.id)) >= evaluation.ceilingNanos) return stop(drive, REASONS.ceiling)
      const answers: ComparedAnswer[] = []
      for (const cell of cells) {
        const found = await findOptionalCellRun(db, cell.executionId ?? 0)
        answers.push({ cell, text: found?.output ?? '' })
      }
      const frozen = evaluation.cases[position] as FrozenCase
      const { judgeModel } = evaluation
      const compared = await grader.compare({ frozen, answers, judgeModel, userId: starter.id, signal })
      for (const { cell, end } of compared) await endCell(db, { cell, held, end })
    }
  }

  return {
    /** Continues an evaluation until its cells end or it is stopped. Throws when it should be retried. */
    async drive({ id, signal }: { id: number; signal: AbortSignal }): Promise<void> {
      const owned = await claimEvaluation(db, id)
      if (owned === undefined) return
      const held = { id, attempt: owned.evaluation.attempt }
      const drive = { owned, held, signal }
      log.debug({ evaluationId: id, attempt: held.attempt }, 'evaluation is taken up')
      await runCells(drive)
      signal.throwIfAborted()
      await unlessRefused(drive, () => compareAnswers(drive))
      signal.throwIfAborted()
      await completeEvaluation(db, held)
    },
  }
}
