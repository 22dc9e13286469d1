import type { StartedExecution, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../platform/errors.ts'
import type { ChainsService, RunnableChain } from '../chains/chains.service.ts'
import {
  type ChainSnapshot,
  lockEndedChainRun,
  type NewChainRun,
  type PlannedStep,
  resumeChainRun,
} from './chain-runs.repository.ts'
import type { Engine } from './engine.service.ts'
import { type ChainInput, toStoredInput } from './run-input.ts'
import type { RunsService } from './runs.service.ts'

export interface ChainRunsDeps {
  db: Database
  engine: Engine
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
export function createChainRunsService({ db, engine, chains, runs }: ChainRunsDeps) {
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
      const plan = { snapshot: toSnapshot(chain), steps: toPlannedSteps(chain) }
      const record = { userId: user.id, chainId, trigger, apiTokenId, ...toStoredInput(input), ...plan }
      const { id, executedAt } = await engine.chains.start({ user, record })
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
        const current = { snapshot: toSnapshot(chain), steps: toPlannedSteps(chain) }
        const plan = beginsWith(current.snapshot, run) ? current : run
        await resumeChainRun(tx, {
          id,
          attempt: run.attempt + 1,
          snapshot: plan.snapshot,
          steps: plan.steps.filter(({ position }) => position >= run.completed.length),
          output: run.completed.at(-1)?.aiResponse ?? null,
        })
        return run.executedAt
      })
      await engine.chains.tellWaiting()
      return { id, chainId, status: 'running', executedAt: executedAt.toISOString() }
    },
  }
}

/** Whether the steps that completed are still the first of the chain, in their order. */
function beginsWith(current: ChainSnapshot, run: { snapshot: ChainSnapshot; completed: unknown[] }): boolean {
  return run.completed.every((_, index) => current.steps[index]?.id === run.snapshot.steps[index]?.id)
}

function toSnapshot({ name, revision, steps }: RunnableChain): ChainSnapshot {
  return {
    name,
    revision,
    steps: steps.map(({ id, temperature, maxTokens }) => ({ id, temperature, maxTokens })),
  }
}

function toPlannedSteps({ steps }: RunnableChain): PlannedStep[] {
  return steps.map(({ content, systemPrompt, ...step }, position) => ({
    position,
    title: step.title,
    model: step.model,
    promptId: step.promptId,
    promptVersion: step.promptVersion,
    template: content,
    systemPrompt: systemPrompt ?? '',
    outputVariableName: step.outputVariableName,
  }))
}
