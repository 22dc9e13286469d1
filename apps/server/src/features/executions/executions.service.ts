import type { Database } from '../../db/executor.ts'
import type { RowChanges } from '../../platform/cache/read-through-cache.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Models } from '../../platform/models/models.ts'
import type { ChainsService } from '../chains/chains.service.ts'
import type { PromptsService } from '../prompts/prompts.service.ts'
import type { VariablesService } from '../variables/variables.service.ts'
import { createChainRunner } from './chain-runs/chain-runner.service.ts'
import { createChainRunsService } from './chain-runs/chain-runs.service.ts'
import { createChainWorkers } from './chain-runs/chain-workers.service.ts'
import { createRunRecords } from './chain-runs/run-records.service.ts'
import { createEngine } from './engine/engine.service.ts'
import { createRunSignals, type Listenable } from './engine/run-signals.service.ts'
import { createRunsService } from './history/runs.service.ts'
import { createPromptRunner } from './prompt-runs/prompt-runner.service.ts'
import { createPromptRunsService } from './prompt-runs/prompt-runs.service.ts'
import { createRatingsService } from './ratings/ratings.service.ts'
import { createRunSharesService } from './sharing/run-shares.service.ts'
import { createRunFollower } from './watching/run-follower.service.ts'
import { createRunStates } from './watching/run-states.service.ts'
import { createWatchingService } from './watching/watching.service.ts'

const LEASE_TICK_MS = 10_000

export interface ExecutionsDeps {
  db: Database
  database: Listenable & { kind: 'embedded' | 'server'; rowChanges: RowChanges }
  models: Models
  prompts: Pick<PromptsService, 'find' | 'findVersion' | 'listVisibleClips'>
  chains: Pick<ChainsService, 'openForRun' | 'findRunRights' | 'requireVisible'>
  variables: Pick<VariablesService, 'resolve' | 'requireAllowed' | 'privateNames'>
  log: Log
  observe?: Metrics | undefined
  /** Whether chains run in this process; prompts always do. */
  work: boolean
  /** Chain runs at once in this process. */
  chainRunsAtOnce: number
}

export type { CalledRun } from './chain-runs/resumed-calls.service.ts'
export type { AnswerBounds } from './engine/planned-step.ts'
export type { ChainRunHandle, RunAnswer, RunFailure, RunHandle, RunOutcome } from './engine/run-ending.ts'
export type { RunMessage } from './engine/run-input.ts'
export type Executions = ReturnType<typeof createExecutions>

/**
 * The engine that runs models for people and stores their answers: a prompt as a run of one step, which ends with its
 * process, or a chain, which any worker may take over.
 */
export function createExecutions({
  db,
  database,
  models,
  prompts,
  chains,
  variables,
  log,
  observe,
  work,
  chainRunsAtOnce,
}: ExecutionsDeps) {
  const { rowChanges } = database
  const signals = createRunSignals({ db, database, log, alone: database.kind === 'embedded' })
  const engine = createEngine({ db, signals })
  const promptRunner = createPromptRunner({ db, engine, models, log })
  const runChain = createChainRunner({ engine, models, variables, log, observe })
  const records = createRunRecords({ db, engine, log })
  const chainWorkers = createChainWorkers({
    ...{ db, engine, runChain, records, log, work },
    runsAtOnce: chainRunsAtOnce,
  })
  const runs = createRunsService({ db, engine, prompts, chains })
  const states = createRunStates({ db, active: engine.active, log })
  const follower = createRunFollower({ db, engine, states, log })
  const tick = setInterval(tendRuns, LEASE_TICK_MS).unref()

  /** Keeps what goes on here, ends or takes up what dead processes left behind. */
  async function keepRuns(): Promise<void> {
    // After an outage the other processes extend theirs too before anyone takes them up.
    if (await engine.catchUp()) return
    await engine.keepLeases()
    await engine.endAbandonedRuns()
    chainWorkers.poll()
  }

  function tendRuns(): void {
    keepRuns().catch((error: unknown) => log.warn({ err: error }, 'leases could not be kept'))
  }

  return {
    promptRuns: createPromptRunsService({ promptRunner, prompts, variables }),
    chainRuns: createChainRunsService({
      db,
      rowChanges,
      chainWorkers,
      chains,
      runs,
      follower,
      reserveId: engine.reserveId,
    }),
    runs,
    ratings: createRatingsService({ db, runs }),
    runShares: createRunSharesService({ db, runs, chains, prompts, variables }),
    /** Resolves once a run that was started before has ended, wherever it goes on. */
    awaitRun: async (id: number): Promise<void> => {
      await follower.hold({ id, position: 0 }).outcome
    },
    watching: createWatchingService({ engine, runs, states }),
    stopDisabled: engine.stopDisabled,

    /** Takes up or ends what dead processes left behind; from then on the clock does it. */
    async recover(): Promise<void> {
      await engine.recover()
      await keepRuns()
    },

    /** Hears the other processes. */
    async start(): Promise<void> {
      await signals.start({ onReconnect: tendRuns })
    },

    /** Ends all runs of prompts, gives those of chains back, and waits until that is stored. */
    async endRuns(): Promise<void> {
      clearInterval(tick)
      engine.close()
      await Promise.all([promptRunner.drain(), chainWorkers.drain()])
      if (work) await signals.send({ type: 'waiting' })
    },

    close: signals.close,
  }
}
