import { PRIVATE_VALUES, type User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import type { FrozenLinks } from '../chains/chains.ts'
import { AS_IT_BEGAN } from '../records/records.ts'
import { awaitRun, NOT_GIVEN, startChainRun, startPromptRun } from '../runs/runs.ts'
import { type CellRow, type CellRun, findOptionalCellRun } from './evaluation-cells.sql.ts'
import type { TestedRecord } from './evaluations.sql.ts'
import type { FrozenCase } from './frozen-cases.ts'

export interface CellPlan {
  cell: CellRow
  record: TestedRecord
  user: User
  version: number
  model: string | null
  frozenLinks?: FrozenLinks
  allowed?: readonly string[] | undefined
  frozen: FrozenCase
}

type CellOutcome =
  | { kind: 'answered'; run: CellRun }
  /** There is no answer to grade, and another try would not give one. */
  | { kind: 'failed'; reason: string; run?: CellRun }
  /** A step would have asked people, and the case has no answer for it. */
  | { kind: 'not-run'; reason: string }
  /** Its process ended before the answer was there: it is asked again. */
  | { kind: 'lost' }
  /** Nothing more of the evaluation can run now. */
  | { kind: 'refused'; reason: string }

const REFUSALS = ['budget_spent', 'account_disabled']
/** Failures after which an answer may or may not exist. */
const LOSSES = ['server_stopped', 'lost']

/** Waits for the run whose id the cell reserved, wherever it runs, and starts it where there is none. */
export async function runCell(ctx: Context, plan: CellPlan): Promise<CellOutcome> {
  const { db } = ctx
  const id = plan.cell.executionId ?? 0
  const found = await findOptionalCellRun(db, id)
  try {
    if (found === undefined) await (await startRun(ctx, plan)).outcome
    else if (found.status === 'running') await awaitRun(ctx, id)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.reason === NOT_GIVEN) return { kind: 'not-run', reason: error.message }
    // Bad values of a case fail that case alone.
    const isOfCase = error.code === 'invalid' || error.code === 'too_large' || error.reason === PRIVATE_VALUES
    return { kind: isOfCase ? 'failed' : 'refused', reason: error.message }
  }
  return toOutcome(await findOptionalCellRun(db, id))
}

function startRun(ctx: Context, plan: CellPlan) {
  const { cell, record, user, version, model, frozenLinks } = plan
  const { input, values, given = {} } = plan.frozen
  const id = cell.executionId ?? undefined
  const trigger = 'evaluation'
  const allowed = plan.allowed ? { shown: plan.allowed } : AS_IT_BEGAN
  if (record.kind === 'chain') {
    return startChainRun(ctx, {
      user,
      allowed,
      id,
      chainId: record.id,
      version,
      frozenLinks,
      input,
      values,
      given,
      trigger,
    })
  }
  if (model === null) throw new AppError('invalid', 'A prompt needs a model')
  return startPromptRun(ctx, {
    user,
    allowed,
    id,
    origin: { trigger, apiTokenId: null, apiCall: null },
    request: {
      promptId: record.id,
      promptVersion: version,
      model,
      variableValues: values,
      userInput: input,
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
