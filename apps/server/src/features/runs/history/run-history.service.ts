import {
  type ChainHistoryQuery,
  type ChainRunSummary,
  COUNT_MAX,
  type LatestChainRun,
  LIST_BYTES_MAX,
  type ListedPromptRun,
  type PageQuery,
  type PromptHistoryQuery,
  type PromptRun,
  type RunAccessLevel,
  type RunDetails,
  type RunState,
  type RunStep,
  type TokenRun,
  type User,
} from '@catenary/contracts'
import type { Database } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import { countUpTo, type ListPage, type ListRequest, toPage } from '../../../list-page.ts'
import type { ChainsService } from '../../chains/chains.ts'
import type { PromptsService } from '../../prompts/prompts.ts'
import type { Engine } from '../engine/engine.service.ts'
import { listLatestRuns } from './latest-runs.repository.ts'
import { countPromptRuns, findOptionalPromptRun, listPromptRuns } from './prompt-history.repository.ts'
import { toListedPromptRun, toPromptRun } from './prompt-run-views.service.ts'
import {
  type ChainRun,
  createRunAccess,
  METRICS_ONLY,
  OWN,
  type RunView,
  toPromptView,
  toView,
} from './run-access.service.ts'
import { findShownTexts, listShownSteps, sumStepBytes } from './run-details.repository.ts'
import { listRunPage, RUN_CURSOR, readPart, toTokenRun } from './run-pages.service.ts'
import { toChainRunSummary, toRunDetails, toRunState, toSteps } from './run-views.service.ts'
import { canDeleteRun, canResumeRun, promptRunsVisibleTo, type SharedRun } from './runs.policy.ts'
import {
  type ChainRunRow,
  deletePromptRuns,
  deleteRun,
  findOptionalRun,
  listExistingPrompts,
  prepareFindRunState,
  type RunRow,
  type RunStateRow,
} from './runs.repository.ts'
import { metricsOf, showPromptRun, textsOf } from './shown-runs.service.ts'

export interface RunHistoryDeps {
  db: Database
  engine: Pick<Engine, 'remote' | 'cancel'>
  prompts: Pick<PromptsService, 'find' | 'listVisibleClips'>
  chains: Pick<ChainsService, 'findRunRights' | 'requireVisible'>
}

interface Wanted {
  id: number
  user: User
}

interface ReadRun {
  run: RunRow
  user: User
  view: RunView
  isClipped: boolean
  /** The position of the step that is always read whole. */
  position?: number
}

/** The chain of a run. */
export interface ChainToResume {
  chainId: number
  /** Whether a version of it was asked for, by a label or an evaluation, and not the chain as it was. */
  isOfVersion: boolean
  /** The attempt that was read: a run resumed since then differs. */
  attempt: number
}

export type RunHistoryService = ReturnType<typeof createRunHistoryService>

/** Runs of prompts and chains: who sees, stops and deletes them (D20, D31). */
export function createRunHistoryService({ db, engine, prompts, chains }: RunHistoryDeps) {
  const findState = prepareFindRunState(db)
  const { findView, listVisible } = createRunAccess({ db, prompts, chains })

  /** Throws `not_found` for a run that the person can't see. */
  async function findVisibleState({ id, user }: Wanted) {
    const state = await findState(id)
    const view = state && (await findView(user, state.run))
    if (state === undefined || view === undefined) throw notFound()
    return { state, view }
  }

  /** Throws `not_found` for a run that the person can't see. */
  async function findVisible({ id, user }: Wanted) {
    const run = await findOptionalRun(db, id)
    const view = run && (await findView(user, run))
    if (run === undefined || view === undefined) throw notFound()
    return { run, user, view }
  }

  const toState = ({ state, view }: { state: RunStateRow; view: RunView }): RunState =>
    toRunState({ state, view, underWay: engine.remote.step(state.run.id) })

  async function read({ run, user, view, position, isClipped }: ReadRun): Promise<RunDetails> {
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
    const ids = steps.flatMap(({ promptId }) => promptId ?? [])
    const existing = await listExistingPrompts(db, ids)
    const underWay = engine.remote.step(id)
    const whole = toRunDetails({ run, view, texts, steps, prompts: existing, underWay })
    if (view.sight === 'own') return whole
    if (view.sight === 'figures') return metricsOf(whole)
    return textsOf({ run: whole, prompts: await listVisible(ids, user) })
  }

  return {
    findView,

    /** A state that was read before, as such a viewer sees it. */
    toState,

    /** Throws `not_found` for a run that the person can't see. */
    async state(wanted: Wanted): Promise<RunState> {
      return toState(await findVisibleState(wanted))
    },

    /** The run with its texts; of a large one with the beginnings of its steps' texts. */
    async find(wanted: Wanted): Promise<RunDetails> {
      const found = await findVisible(wanted)
      const isClipped = (await sumStepBytes(db, wanted.id)) > LIST_BYTES_MAX
      return read({ ...found, isClipped })
    },

    /** One step of a run with all its texts. */
    async findStep({ position, ...wanted }: Wanted & { position: number }): Promise<RunStep> {
      const { steps } = await read({ ...(await findVisible(wanted)), isClipped: true, position })
      const step = steps.find((one): one is RunStep => one.position === position)
      if (step === undefined) throw new AppError('not_found', 'This run has no such step')
      return step
    },

    /** A chain's runs, newest first: one's own, and others' as far as one sees them. Throws `invalid` for a foreign cursor. */
    async listByChain({
      chainId,
      user,
      query,
    }: ListRequest<{ chainId: number; user: User }, ChainHistoryQuery>): Promise<ListPage<ChainRunSummary>> {
      const { trigger, rated, ...page } = query
      await chains.requireVisible({ id: chainId, user })
      const rights = await chains.findRunRights({ id: chainId, user })
      const visibilityEpoch = rights.canSeeRuns ? rights.visibilityEpoch : null
      const filter = { chainId, trigger, ...ownRuns(user), rated, visibilityEpoch }
      const viewOf = (run: ChainRun) => toView({ user, run, rights }) ?? METRICS_ONLY
      const toItem = (row: ChainRunRow) => toChainRunSummary({ row, view: viewOf(row.page) })
      return listRunPage(db, { query: page, filter, toItem })
    },

    /** For each chain that the person sees, the newest run that they see. */
    async listLatest(user: User): Promise<LatestChainRun[]> {
      const rows = await listLatestRuns(db, { userId: user.id })
      return rows.map(({ executedAt, finishedAt, ...row }) => ({
        ...row,
        executedAt: executedAt.toISOString(),
        finishedAt: finishedAt?.toISOString() ?? null,
      }))
    },

    /** Runs through a token, newest first: one's own; for an admin the figures of everyone's. */
    listByToken({
      tokenId,
      user,
      query,
    }: ListRequest<{ tokenId: number; user: User }, PageQuery>): Promise<ListPage<TokenRun>> {
      const filter = { apiTokenId: tokenId, ...ownRuns(user) }
      const viewOf = (run: ChainRun) => (run.userId === user.id ? OWN : METRICS_ONLY)
      const toItem = (row: ChainRunRow) => toTokenRun({ row, view: viewOf(row.page) })
      return listRunPage(db, { query, filter, toItem })
    },

    /** Runs of a prompt, newest first: one's own; for an admin everyone's (D20). Throws `invalid` for a foreign cursor. */
    async listByPrompt({
      promptId,
      user,
      query,
    }: ListRequest<{ promptId: number; user: User }, PromptHistoryQuery>): Promise<
      ListPage<ListedPromptRun>
    > {
      const { before, limit, isFirst } = readPart(query)
      await prompts.find({ id: promptId, user })
      const filter = { promptId, ...ownRuns(user), rated: query.rated }
      return toPage({
        rows: await listPromptRuns(db, { ...filter, before, limit: limit + 1 }),
        limit,
        total: isFirst ? countUpTo(COUNT_MAX, await countPromptRuns(db, filter)) : undefined,
        toItem: (row) => showPromptRun(toListedPromptRun(row, levelOf(row, user))),
        cursorOf: ({ id }) => RUN_CURSOR.write(id),
      })
    },

    /** One run of a prompt as its history shows it, with its whole texts. */
    async findByPrompt({ promptId, ...wanted }: Wanted & { promptId: number }): Promise<PromptRun> {
      const { id, user } = wanted
      await prompts.find({ id: promptId, user })
      const run = await findOptionalPromptRun(db, { promptId, id, ...ownRuns(user) })
      if (run === undefined) throw notFound()
      return showPromptRun(toPromptRun(run, levelOf(run, user)))
    },

    /** Clears the person's own history of a prompt. */
    async deleteByPrompt({ promptId, user }: { promptId: number; user: User }): Promise<void> {
      await prompts.find({ id: promptId, user })
      await deletePromptRuns(db, { promptId, userId: user.id })
    },

    /** The chain of a run that this person may have go on; throws `forbidden`, or `conflict` when it has not failed. */
    async findChainToResume(wanted: Wanted): Promise<ChainToResume> {
      const { state, view } = await findVisibleState(wanted)
      const { run } = state
      if (run.kind !== 'chain' || run.chainId === null)
        throw new AppError('conflict', 'Only the run of a chain can be resumed')
      if (!canResumeRun(view.sight))
        throw new AppError('forbidden', 'Only the person who started a run may resume it')
      if (run.status === 'running') throw new AppError('conflict', 'This run is still going on')
      if (run.status === 'completed') throw new AppError('conflict', 'This run is complete')
      if (run.textsDeleted)
        throw new AppError('conflict', 'The texts of this run are no longer kept. Execute the chain again.')
      const { chainId, attempt, chainLabel, trigger } = run
      return { chainId, attempt, isOfVersion: chainLabel !== null || trigger === 'evaluation' }
    },

    /** Stops a run wherever it goes on; one that has ended stays as it is. */
    async cancel(wanted: Wanted): Promise<RunState> {
      const { view } = await findVisibleState(wanted)
      if (!view.canStop)
        throw new AppError(
          'forbidden',
          'Only the person who started a run and editors of its chain may stop it',
        )
      await engine.cancel(wanted.id)
      return toState(await findVisibleState(wanted))
    },

    /** Deletes one run; a run under way is stopped first. */
    async delete({ id, user }: Wanted): Promise<void> {
      const { view } = await findVisibleState({ id, user })
      if (!canDeleteRun(view.sight))
        throw new AppError('forbidden', 'Only the person who started a run may delete it')
      await deleteRun(db, id)
    },
  }
}

/** The access level to a run of a visible prompt. */
function levelOf(run: SharedRun, user: User): RunAccessLevel {
  return toPromptView({ user, run, canView: true })?.sight ?? 'figures'
}

/** Whose runs a history has, and whose ratings of them. */
function ownRuns(user: User) {
  return { userId: promptRunsVisibleTo(user), viewerId: user.id }
}

function notFound(): AppError {
  return new AppError('not_found', 'Execution not found')
}
