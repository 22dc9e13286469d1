import {
  type ChainExecutionSummary,
  type ChainHistoryQuery,
  COUNT_MAX,
  type Execution,
  type ExecutionState,
  type ExecutionStep,
  LIST_BYTES_MAX,
  type ListedPromptExecution,
  MAX_ID,
  type PageQuery,
  type PromptExecution,
  type User,
} from '@catenary/contracts'
import type { Database } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import { defineCursor, type ListPage, placeOf, toPage, upTo } from '../../../list-page.ts'
import type { ChainsService } from '../../chains/chains.service.ts'
import type { PromptsService } from '../../prompts/prompts.service.ts'
import type { Engine } from '../engine/engine.service.ts'
import { countPromptRuns, findOptionalPromptRun, listPromptRuns } from './prompt-history.repository.ts'
import { findShownTexts, listShownSteps, sumStepBytes } from './run-details.repository.ts'
import {
  toChainExecutionSummary,
  toExecution,
  toExecutionState,
  toListedPromptExecution,
  toPromptExecution,
  toSteps,
} from './run-views.service.ts'
import { visibleExecutionsOf } from './runs.policy.ts'
import {
  type ChainHistoryFilter,
  countChainRuns,
  deleteExecution,
  deletePromptRuns,
  findOptionalRun,
  listChainRuns,
  listExistingPrompts,
  prepareFindRunState,
  type RunRow,
  type RunStateRow,
} from './runs.repository.ts'

const CURSOR = defineCursor({ list: 'runs', place: placeOf.id })

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

interface ReadRun {
  run: RunRow
  user: User
  isClipped: boolean
  /** Of the step that is read whole in any case. */
  position?: number
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

  async function listChainPage({
    user,
    query,
    filter: wanted,
  }: {
    user: User
    query: PageQuery
    filter: Omit<ChainHistoryFilter, 'userId'>
  }): Promise<ListPage<ChainExecutionSummary>> {
    const { before, limit, isFirst } = readPart(query)
    const filter = { ...wanted, userId: visibleExecutionsOf(user) }
    return toPage({
      rows: await listChainRuns(db, { ...filter, before, limit: limit + 1 }),
      limit,
      total: isFirst ? upTo(COUNT_MAX, await countChainRuns(db, filter)) : undefined,
      toItem: (row) => toChainExecutionSummary({ row, viewer: user }),
      cursorOf: ({ page }) => CURSOR.write(page.id),
    })
  }

  async function read({ run, user, position, isClipped }: ReadRun): Promise<Execution> {
    const { id } = run
    const rows = await listShownSteps(db, { executionId: id, isClipped })
    const [asked] =
      position === undefined ? [] : await listShownSteps(db, { executionId: id, isClipped: false, position })
    const shown = rows.map((row) =>
      row.position === asked?.position ? { ...asked, isClipped: false } : { ...row, isClipped },
    )
    const texts = await findShownTexts(db, id)
    if (texts === undefined) throw notFound()
    const steps = toSteps({ run, rows: shown, plan: texts.plan })
    const prompts = await listExistingPrompts(
      db,
      steps.flatMap(({ promptId }) => promptId ?? []),
    )
    return toExecution({ run, viewer: user, texts, steps, prompts, underWay: engine.remote.step(id) })
  }

  return {
    maySee,

    /** A state that was read before, as this person sees it. */
    toState,

    /** Throws `not_found` for a run that the person can't see. */
    async state(wanted: Wanted): Promise<ExecutionState> {
      return toState({ state: await findVisibleState(wanted), user: wanted.user })
    },

    /** The run with its texts; of a large one with the beginnings of its steps' texts. */
    async find({ id, user }: Wanted): Promise<Execution> {
      const run = await findOptionalRun(db, id)
      if (run === undefined || !(await maySee(user, run))) throw notFound()
      const isClipped = (await sumStepBytes(db, id)) > LIST_BYTES_MAX
      return read({ run, user, isClipped })
    },

    /** One step of a run with all its texts. */
    async findStep({ id, user, position }: Wanted & { position: number }): Promise<ExecutionStep> {
      const run = await findOptionalRun(db, id)
      if (run === undefined || !(await maySee(user, run))) throw notFound()
      const { steps } = await read({ run, user, isClipped: true, position })
      const step = steps.find((one): one is ExecutionStep => one.position === position)
      if (step === undefined) throw new AppError('not_found', 'This run has no such step')
      return step
    },

    /** A chain's runs, newest first: one's own; for an admin everyone's. Throws `invalid` for a foreign cursor. */
    async listByChain({
      chainId,
      user,
      query: { trigger, ...query },
    }: {
      chainId: number
      user: User
      query: ChainHistoryQuery
    }): Promise<ListPage<ChainExecutionSummary>> {
      await chains.requireVisible({ id: chainId, user })
      return listChainPage({ user, query, filter: { chainId, trigger } })
    },

    /** Runs through a token, newest first, as far as this person may see them. */
    listByToken: ({ tokenId, user, query }: { tokenId: number; user: User; query: PageQuery }) =>
      listChainPage({ user, query, filter: { apiTokenId: tokenId } }),

    /** Runs of a prompt, newest first: one's own; for an admin everyone's (D20). Throws `invalid` for a foreign cursor. */
    async listByPrompt({
      promptId,
      user,
      query,
    }: {
      promptId: number
      user: User
      query: PageQuery
    }): Promise<ListPage<ListedPromptExecution>> {
      const { before, limit, isFirst } = readPart(query)
      await prompts.find({ id: promptId, user })
      const filter = { promptId, userId: visibleExecutionsOf(user) }
      return toPage({
        rows: await listPromptRuns(db, { ...filter, before, limit: limit + 1 }),
        limit,
        total: isFirst ? upTo(COUNT_MAX, await countPromptRuns(db, filter)) : undefined,
        toItem: toListedPromptExecution,
        cursorOf: ({ id }) => CURSOR.write(id),
      })
    },

    /** One run of a prompt as its history shows it, with its whole texts. */
    async findByPrompt({ promptId, ...wanted }: Wanted & { promptId: number }): Promise<PromptExecution> {
      const { id, user } = wanted
      await prompts.find({ id: promptId, user })
      const run = await findOptionalPromptRun(db, { promptId, id, userId: visibleExecutionsOf(user) })
      if (run === undefined) throw notFound()
      return toPromptExecution(run)
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
      if (run.textsDeleted)
        throw new AppError('conflict', 'The texts of this run are no longer kept. Execute the chain anew.')
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

/** `before` and the cursor say the same: where to go on. */
function readPart({ before, cursor, limit }: PageQuery) {
  const after = CURSOR.read(cursor)
  return { before: Math.min(after ?? MAX_ID, before ?? MAX_ID), limit, isFirst: after === undefined }
}

function notFound(): AppError {
  return new AppError('not_found', 'Execution not found')
}
