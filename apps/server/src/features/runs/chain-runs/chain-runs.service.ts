import type { StartedRun, User } from '@catenary/contracts'
import type { Database } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import { type RowChanges, readThroughCache } from '../../../platform/cache/read-through-cache.ts'
import type { ChainsService, FrozenLinks, RunnableChain, WantedChain } from '../../chains/chains.ts'
import type { ApiCall } from '../engine/api-call.ts'
import { type AnswerBounds, boundAnswer, type PlannedStep } from '../engine/planned-step.ts'
import { type RunInput, type RunMessage, toStoredInput } from '../engine/run-input.ts'
import { type ChainToResume, findChainToResume } from '../history/operations/change-run.ts'
import type { RunHistoryDeps } from '../history/run-history-deps.ts'
import { findOptionalRun, findRunTexts } from '../history/runs.repository.ts'
import type { RunFollower } from '../watching/run-follower.service.ts'
import { lockEndedChainRun, outputOf, resumeChainRun } from './chain-runs.repository.ts'
import type { ChainWorkers } from './chain-workers.service.ts'
import type { NewChainRun } from './new-chain-run.ts'
import { createResumedCalls } from './resumed-calls.service.ts'

/** In UTF-16 units of the plans that are kept in memory. */
const CHARACTERS_KEPT = 8_000_000
/** About what a step takes beside its texts. */
const STEP_OVERHEAD = 1_000

/** In UTF-16 units of all steps' texts; some five times as many, escaped, are more than a string holds. */
const PLAN_MAX = 110_000_000

export interface ChainRunsDeps {
  db: Database
  rowChanges: RowChanges
  chainWorkers: Pick<ChainWorkers, 'start' | 'startAttached' | 'resumeAttached' | 'notifyWaiting'>
  chains: Pick<ChainsService, 'openForRun' | 'requireVisible'>
  history: RunHistoryDeps
  follower: RunFollower
  /** The id of a run that is about to be recorded. */
  reserveId: () => Promise<number>
}

interface StartRequest {
  /** Whose rights and variables count. */
  user: User
  chainId: number
  /** The label of the version to run; with neither label nor version the chain as it is. */
  label?: string | null
  version?: number | null
  frozenLinks?: FrozenLinks | undefined
  /** What names of variables stand for in this run. */
  values?: Record<string, string>
  input?: RunInput | undefined
  /** All that was sent, where that is more than the input. */
  transcript?: RunMessage[] | undefined
  trigger?: NewChainRun['trigger']
  apiTokenId?: number | null
  apiCall?: ApiCall | null
  /** Asked of the answer by the caller. */
  bounds?: AnswerBounds
  /** The signal of a caller that waits for the answer; aborts when it leaves. */
  attached?: AbortSignal
  /** Where it was reserved before: under it a run is started once. */
  id?: number | undefined
  /** Subscribers to its end (`onRunEnded`): name → their reference to the run. */
  subscribers?: Record<string, string>
}

interface ResumeRequest {
  id: number
  user: User
  /** Of the step that failed. */
  model?: string | undefined
}

export type ChainRunsService = ReturnType<typeof createChainRunsService>

/** Starts and resumes chain runs for people, schedules and tokens. */
export function createChainRunsService({
  db,
  rowChanges,
  chainWorkers,
  chains,
  history,
  follower,
  reserveId,
}: ChainRunsDeps) {
  /** The chain, or its version of that label, and its linked prompts as they are now, ready to be run by that person. */
  const openPlan = readThroughCache({
    rowChanges,
    keyOf: ({ id, user, label, version, frozenLinks }: WantedChain) =>
      JSON.stringify([id, user.id, user.role, label ?? null, version ?? null, frozenLinks ?? null]),
    load: async (wanted) => {
      const { id, name, version, ownerId, ...runnable } = await chains.openForRun(wanted)
      const { visibilityEpoch } = runnable
      return { id, name, version, ownerId, visibilityEpoch, steps: toPlan(runnable) }
    },
    rowsOf: ({ id, ownerId, steps }) => [
      `chains:${id}`,
      `users:${ownerId}`,
      ...steps.flatMap(({ promptId }) => (promptId === null ? [] : [`prompts:${promptId}` as const])),
    ],
    capacity: CHARACTERS_KEPT,
    sizeOf: ({ steps }) => lengthOf(steps) + steps.length * STEP_OVERHEAD,
  })

  /** The chain as it is now, of which a run that goes on takes mended steps; a chosen version is run to its end. */
  async function openCurrent({ chainId, isOfVersion, user }: ChainToResume & { user: User }) {
    if (!isOfVersion) return openPlan({ id: chainId, user })
    await chains.requireVisible({ id: chainId, user })
    return undefined
  }

  return {
    ...createResumedCalls({ db, openPlan, chainWorkers, follower }),
    reserveId,

    /** A run that was started before, as who started it holds it; undefined where it is not recorded. */
    async follow(id: number) {
      const run = await findOptionalRun(db, id)
      const texts = await findRunTexts(db, id)
      if (run === undefined || texts === undefined || run.chainId === null) return undefined
      const titles = (texts.plan as PlannedStep[]).map(({ title }) => title)
      const handle = follower.hold({ id, position: run.stepCount - 1 })
      const { chainId, chainLabel, executedAt } = run
      return Object.assign(handle, { chainId, chainLabel, executedAt, titles })
    },

    /**
     * Starts a run of the chain, or of its labelled version, with its linked prompts as they are now (D29, D30). It
     * runs on any worker; with `attached` it runs in this process, and ends with it or when the signal aborts.
     */
    async start({
      user,
      chainId,
      label = null,
      version = null,
      frozenLinks,
      values = {},
      input = '',
      transcript,
      trigger = 'manual',
      apiTokenId = null,
      apiCall = null,
      bounds = {},
      id: reservedId,
      attached,
      subscribers,
    }: StartRequest) {
      const opened = await openPlan({ id: chainId, user, label, version, frozenLinks })
      const { name, visibilityEpoch, steps } = opened
      const plan = boundAnswer(steps, bounds)
      const record = {
        ...{ chainId, chainName: name, chainVersion: opened.version, chainLabel: label },
        ...{ userId: user.id, visibilityEpoch, trigger, apiTokenId, apiCall },
        ...{
          ...toStoredInput(input, { values, transcript }),
          plan,
          stepCount: plan.length,
          subscribers: subscribers ?? null,
        },
      }
      const { id, executedAt, ended } =
        attached === undefined
          ? await chainWorkers.start({ user, record, id: reservedId })
          : await chainWorkers.startAttached({ user, record, signal: attached })
      const handle = follower.hold({ id, position: plan.length - 1, ended })
      const titles = plan.map((step) => step.title)
      return Object.assign(handle, { chainId, chainLabel: label, executedAt, titles })
    },

    /**
     * Resumes at the first step that did not complete. The remaining steps come from the chain as it is now, if it
     * still begins with the completed ones; else, and for a chosen version, from the run's own plan. Another model
     * may run the first of them, once.
     */
    async resume({ id, user, model }: ResumeRequest): Promise<StartedRun> {
      const found = await findChainToResume(history, { id, user })
      const current = await openCurrent({ ...found, user })
      const executedAt = await db.transaction(async (tx) => {
        const run = await lockEndedChainRun(tx, { id, attempt: found.attempt })
        if (run === undefined) throw new AppError('conflict', 'This run is still going on')
        const { completed } = run
        const begun = run.plan.slice(0, completed.length)
        const chain = current && beginsWith({ plan: current.steps, begun }) ? current : undefined
        const left = chain ? [...begun, ...chain.steps.slice(completed.length)] : run.plan
        const plan = left.map((step, index) =>
          index === completed.length && model !== undefined ? { ...step, model } : step,
        )
        await resumeChainRun(tx, {
          id,
          attempt: found.attempt,
          chainName: chain?.name ?? run.chainName,
          chainVersion: chain?.version ?? run.chainVersion,
          plan,
          output: outputOf({ plan, completed }),
        })
        return run.executedAt
      })
      await chainWorkers.notifyWaiting()
      return { id, chainId: found.chainId, status: 'running', executedAt: executedAt.toISOString() }
    },
  }
}

/** Whether the steps that completed are still the first of the chain, in their order. */
function beginsWith({ plan, begun }: { plan: PlannedStep[]; begun: PlannedStep[] }): boolean {
  return begun.every(({ id }, index) => plan[index]?.id === id)
}

/** Throws `too_large` for more text than a run can keep. */
function toPlan({
  steps,
  stopsWithoutValue,
}: Pick<RunnableChain, 'steps' | 'stopsWithoutValue'>): PlannedStep[] {
  const plan = steps.map(({ content, systemPrompt, ...step }, position) => ({
    ...step,
    position,
    template: content,
    systemPrompt: systemPrompt ?? '',
    stopsWithoutValue,
  }))
  if (lengthOf(plan) > PLAN_MAX) {
    const most = PLAN_MAX.toLocaleString('en')
    throw new AppError('too_large', `The steps of this chain have more than ${most} characters in total`)
  }
  return plan
}

const lengthOf = (plan: PlannedStep[]): number =>
  plan.reduce((sum, { template, systemPrompt }) => sum + template.length + systemPrompt.length, 0)
