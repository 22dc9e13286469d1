import type {
  ChainExecutionSummary,
  Execution,
  ExecutionState,
  ListExecutionsQuery,
  PromptExecution,
  User,
} from '@catenary/contracts'
import type { Database } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import type { ChainsService } from '../../chains/chains.service.ts'
import type { PromptsService } from '../../prompts/prompts.service.ts'
import type { Engine } from '../engine/engine.service.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import {
  toChainExecutionSummary,
  toExecution,
  toExecutionState,
  toPromptExecution,
  toSteps,
} from './run-views.service.ts'
import { visibleExecutionsOf } from './runs.policy.ts'
import {
  type ChainHistoryFilter,
  deleteExecution,
  deletePromptRuns,
  findOptionalRun,
  findRunTexts,
  listChainRuns,
  listExistingPrompts,
  listPromptRuns,
  listStepRows,
  prepareFindRunState,
  type RunStateRow,
} from './runs.repository.ts'

export interface RunsDeps {
  db: Database
  engine: Pick<Engine, 'remote' | 'cancel'>
  prompts: Pick<PromptsService, 'find'>
  chains: Pick<ChainsService, 'canView' | 'requireVisible'>
}

interface Wanted {
  id: number
  user: User
}

export type RunsService = ReturnType<typeof createRunsService>

/** Runs of prompts and chains: who sees them, and what becomes of them (D20, D31). */
export function createRunsService({ db, engine, prompts, chains }: RunsDeps) {
  const findState = prepareFindRunState(db)

  /** One's own, as long as one sees its chain; an admin all. */
  async function maySee(user: User, run: { userId: number; chainId: number | null }): Promise<boolean> {
    if (user.role === 'admin') return true
    if (run.userId !== user.id) return false
    return run.chainId === null || chains.canView({ id: run.chainId, user })
  }

  async function findVisibleState({ id, user }: Wanted) {
    const state = await findState(id)
    if (state === undefined || !(await maySee(user, state.run))) throw notFound()
    return state
  }

  const toState = ({ state, user }: { state: RunStateRow; user: User }): ExecutionState =>
    toExecutionState({ state, viewer: user, underWay: engine.remote.step(state.run.id) })

  return {
    maySee,

    /** A state that was read before, as this person sees it. */
    toState,

    /** Throws `not_found` for a run that the person can't see. */
    async state(wanted: Wanted): Promise<ExecutionState> {
      return toState({ state: await findVisibleState(wanted), user: wanted.user })
    },

    /** The whole run with all its texts. */
    async find({ id, user }: Wanted): Promise<Execution> {
      const run = await findOptionalRun(db, id)
      if (run === undefined || !(await maySee(user, run))) throw notFound()
      const rows = await listStepRows(db, id)
      const texts = await findRunTexts(db, id)
      if (texts === undefined) throw notFound()
      const steps = toSteps({ run, rows, plan: texts.plan as PlannedStep[] | null })
      const prompts = await listExistingPrompts(
        db,
        steps.flatMap(({ promptId }) => promptId ?? []),
      )
      return toExecution({ run, viewer: user, texts, steps, prompts, underWay: engine.remote.step(id) })
    },

    /** A chain's runs, newest first: one's own; for an admin everyone's. */
    async listByChain({
      user,
      query,
    }: {
      user: User
      query: Omit<ChainHistoryFilter, 'userId' | 'apiTokenId'> & { chainId: number }
    }): Promise<ChainExecutionSummary[]> {
      await chains.requireVisible({ id: query.chainId, user })
      const rows = await listChainRuns(db, { ...query, userId: visibleExecutionsOf(user) })
      return rows.map((row) => toChainExecutionSummary({ row, viewer: user }))
    },

    /** Runs through a token, newest first, as far as this person may see them. */
    async listByToken({
      user,
      query,
    }: {
      user: User
      query: Omit<ChainHistoryFilter, 'userId' | 'chainId'> & { apiTokenId: number }
    }): Promise<ChainExecutionSummary[]> {
      const rows = await listChainRuns(db, { ...query, userId: visibleExecutionsOf(user) })
      return rows.map((row) => toChainExecutionSummary({ row, viewer: user }))
    },

    /** Runs of a prompt, newest first: one's own; for an admin everyone's (D20). */
    async listByPrompt({
      user,
      query,
    }: {
      user: User
      query: ListExecutionsQuery
    }): Promise<PromptExecution[]> {
      await prompts.find({ id: query.promptId, user })
      const rows = await listPromptRuns(db, { ...query, userId: visibleExecutionsOf(user) })
      return rows.map(toPromptExecution)
    },

    /** Clears the person's own history of a prompt. */
    async deleteByPrompt({ promptId, user }: { promptId: number; user: User }): Promise<void> {
      await prompts.find({ id: promptId, user })
      await deletePromptRuns(db, { promptId, userId: user.id })
    },

    /** The chain of a run that this person may have go on; throws `forbidden`, or `conflict` when it has not failed. */
    async findChainToResume(wanted: Wanted): Promise<number> {
      const { run } = await findVisibleState(wanted)
      if (run.kind !== 'chain' || run.chainId === null)
        throw new AppError('conflict', 'Only the run of a chain can be resumed')
      if (run.userId !== wanted.user.id)
        throw new AppError('forbidden', 'Only the person who started a run may resume it')
      if (run.status === 'running') throw new AppError('conflict', 'This run is still under way')
      if (run.status === 'completed') throw new AppError('conflict', 'This run is complete')
      return run.chainId
    },

    /** Stops a run wherever it goes on; one that has ended stays as it is. */
    async cancel(wanted: Wanted): Promise<ExecutionState> {
      await findVisibleState(wanted)
      await engine.cancel(wanted.id)
      return toState({ state: await findVisibleState(wanted), user: wanted.user })
    },

    /** Deletes one run; a run under way is stopped first. */
    async delete({ id, user }: Wanted): Promise<void> {
      await findVisibleState({ id, user })
      await deleteExecution(db, id)
    },
  }
}

function notFound(): AppError {
  return new AppError('not_found', 'Execution not found')
}
