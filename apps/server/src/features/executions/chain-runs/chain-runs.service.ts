import type { StartedExecution, User } from '@catenary/contracts'
import type { Database } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import type { ChainsService, RunnableChain } from '../../chains/chains.service.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import type { RunsService } from '../history/runs.service.ts'
import { lockEndedChainRun, type NewChainRun, resumeChainRun } from './chain-runs.repository.ts'
import type { ChainWorkers } from './chain-workers.service.ts'
import { type ChainInput, toStoredInput } from './run-input.ts'

/** In UTF-16 units of all steps' texts; some five times as many, escaped, are more than a string holds. */
const PLAN_MAX = 110_000_000

export interface ChainRunsDeps {
  db: Database
  chainWorkers: Pick<ChainWorkers, 'start' | 'tellWaiting'>
  chains: Pick<ChainsService, 'openForRun'>
  runs: Pick<RunsService, 'findChainToResume'>
}

interface StartRequest {
  /** Whose rights and variables count. */
  user: User
  chainId: number
  input?: ChainInput | undefined
  trigger?: NewChainRun['trigger']
  apiTokenId?: number | null
}

export type ChainRunsService = ReturnType<typeof createChainRunsService>

/** The door to the engine for whoever runs a chain: a person, a schedule, a token. */
export function createChainRunsService({ db, chainWorkers, chains, runs }: ChainRunsDeps) {
  return {
    /** Records the run, with the chain and its linked prompts as they are now (D29, D30); it goes on by itself. */
    async start({
      user,
      chainId,
      input = '',
      trigger = 'manual',
      apiTokenId = null,
    }: StartRequest): Promise<StartedExecution> {
      const chain = await chains.openForRun({ id: chainId, user })
      const plan = toPlan(chain)
      const record = {
        ...{ userId: user.id, chainId, chainName: chain.name, trigger, apiTokenId },
        ...{ ...toStoredInput(input), plan, stepCount: plan.length },
      }
      const { id, executedAt } = await chainWorkers.start({ user, record })
      return { id, chainId, status: 'running', executedAt: executedAt.toISOString() }
    },

    /**
     * Goes on from the first step that did not complete. The steps still to run are taken from the chain as it is now,
     * as long as the completed ones stand at its beginning; else as they were when the run started.
     */
    async resume({ id, user }: { id: number; user: User }): Promise<StartedExecution> {
      const chainId = await runs.findChainToResume({ id, user })
      const chain = await chains.openForRun({ id: chainId, user })
      const executedAt = await db.transaction(async (tx) => {
        const run = await lockEndedChainRun(tx, id)
        if (run === undefined) throw new AppError('conflict', 'This run is still under way')
        const { completed } = run
        const current = toPlan(chain)
        const isSame = beginsWith({ plan: current, begun: run.plan.slice(0, completed.length) })
        const plan = isSame
          ? [...run.plan.slice(0, completed.length), ...current.slice(completed.length)]
          : run.plan
        await resumeChainRun(tx, {
          id,
          attempt: run.attempt + 1,
          chainName: isSame ? chain.name : run.chainName,
          plan,
          output: plan.length > completed.length ? null : (completed.at(-1)?.aiResponse ?? ''),
        })
        return run.executedAt
      })
      await chainWorkers.tellWaiting()
      return { id, chainId, status: 'running', executedAt: executedAt.toISOString() }
    },
  }
}

/** Whether the steps that completed are still the first of the chain, in their order. */
function beginsWith({ plan, begun }: { plan: PlannedStep[]; begun: PlannedStep[] }): boolean {
  return begun.every(({ id }, index) => plan[index]?.id === id)
}

/** Throws `too_large` for more text than a run can keep. */
function toPlan({ steps }: RunnableChain): PlannedStep[] {
  const length = steps.reduce((sum, step) => sum + step.content.length + (step.systemPrompt?.length ?? 0), 0)
  if (length > PLAN_MAX) {
    const most = PLAN_MAX.toLocaleString('en')
    throw new AppError('too_large', `The steps of this chain have more than ${most} characters together`)
  }
  return steps.map(({ content, systemPrompt, ...step }, position) => ({
    ...step,
    position,
    template: content,
    systemPrompt: systemPrompt ?? '',
  }))
}
