import { MODEL_ALIASES, type User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { FrozenLinks } from '../chains/chains.ts'
import type { Runs } from '../runs/runs.ts'
import { type CellRow, type CellRun, findOptionalCellRun } from './evaluation-cells.repository.ts'
import type { TestedRecord } from './evaluations.repository.ts'
import type { FrozenCase } from './frozen-cases.ts'

/** What a cell runs. */
export interface CellPlan {
  cell: CellRow
  record: TestedRecord
  user: User
  version: number
  model: string | null
  frozenLinks?: FrozenLinks
  frozen: FrozenCase
}

/** How a cell's run ended. */
type CellOutcome =
  | { kind: 'answered'; run: CellRun }
  /** There is no answer to grade, and another try would not give one. */
  | { kind: 'failed'; reason: string; run?: CellRun }
  /** Its process ended before the answer was there: it is asked anew. */
  | { kind: 'lost' }
  /** Nothing more of the evaluation can run now. */
  | { kind: 'refused'; reason: string }

/** Failures that all further cells would meet as well. */
const REFUSALS = ['budget_spent', 'account_disabled']
/** Failures after which an answer may or may not exist. */
const LOSSES = ['server_stopped', 'lost']

interface CellRunsDeps {
  db: Database
  promptRuns: Pick<Runs['promptRuns'], 'start'>
  chainRuns: Pick<Runs['chainRuns'], 'start'>
  /** Waits for the end of a run that was started before, wherever it goes on. */
  awaitRun: Runs['awaitRun']
}

export type CellRuns = ReturnType<typeof createCellRuns>

/** A cell is an execution: asked under the id that the cell reserved, once. */
export function createCellRuns({ db, promptRuns, chainRuns, awaitRun }: CellRunsDeps) {
  function start({ cell, record, user, version, model, frozenLinks, frozen }: CellPlan) {
    const { input, values } = frozen
    const id = cell.executionId ?? undefined
    if (record.kind === 'chain') {
      return chainRuns.start({
        ...{ user, id, chainId: record.id, version, frozenLinks, input, values },
        trigger: 'evaluation',
      })
    }
    const alias = MODEL_ALIASES.find((known) => known === model)
    if (alias === undefined) throw new AppError('invalid', `There is no model ${model} in this version`)
    return promptRuns.start({
      user,
      id,
      origin: { trigger: 'evaluation', apiTokenId: null, apiCall: null },
      request: {
        ...{ promptId: record.id, promptVersion: version, model: alias },
        ...{ variableValues: values, userInput: input },
      },
    })
  }

  function toOutcome(run: CellRun | undefined): CellOutcome {
    if (run === undefined) return { kind: 'lost' }
    if (run.status === 'completed') return { kind: 'answered', run }
    const reason = run.error ?? 'The run failed'
    if (LOSSES.includes(run.errorCode ?? '')) return { kind: 'lost' }
    if (REFUSALS.includes(run.errorCode ?? '')) return { kind: 'refused', reason }
    return { kind: 'failed', reason, run }
  }

  return {
    /** Waits for the run that the cell reserved, which is started where it is not there. */
    async finish(plan: CellPlan): Promise<CellOutcome> {
      const id = plan.cell.executionId ?? 0
      const found = await findOptionalCellRun(db, id)
      try {
        if (found === undefined) await (await start(plan)).outcome
        else if (found.status === 'running') await awaitRun(id)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        // What is wrong with the values of a case is that case's alone.
        if (error.code === 'invalid' || error.code === 'too_large')
          return { kind: 'failed', reason: error.message }
        return { kind: 'refused', reason: error.message }
      }
      return toOutcome(await findOptionalCellRun(db, id))
    },
  }
}
