import { slot } from '../../platform/context.ts'
import { createAnswerChecks } from '../../platform/grading/answer-checks.ts'
import type { Models } from '../../platform/models/models.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ChainsService } from '../chains/chains.ts'
import type { FilesService } from '../files/files.ts'
import type { ModelRegistry } from '../models/models.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import type { VariablesService } from '../variables/variables.ts'
import { createOpenPlan } from './chain-runs/chain-plans.service.ts'
import { chainRunsRoutes } from './chain-runs/chain-runs.routes.ts'
import type { ChainRunsDeps } from './chain-runs/chain-runs-deps.ts'
import { createChainWorkers, drainWorkers } from './chain-runs/chain-workers.service.ts'
import { findCalledRun, resumeCall } from './chain-runs/operations/resume-call.ts'
import { followChainRun, startChainRun } from './chain-runs/operations/start-run.ts'
import { createRunRecords } from './chain-runs/run-records.service.ts'
import { createRunSignals } from './engine/channels/run-signals.service.ts'
import { createTextWays } from './engine/channels/text-ways.service.ts'
import { createEngine } from './engine/engine.service.ts'
import { readRun } from './history/operations/read-run.ts'
import { runHistoryRoutes } from './history/run-history.routes.ts'
import type { RunHistoryDeps, WantedRun } from './history/run-history-deps.ts'
import { prepareFindRunState } from './history/runs.repository.ts'
import { createLeaseClock } from './lease-clock.ts'
import { createPromptRunner } from './prompt-runs/prompt-runner.service.ts'
import { promptRunsRoutes } from './prompt-runs/prompt-runs.routes.ts'
import { type PromptRunsDeps, startPromptRun } from './prompt-runs/prompt-runs.service.ts'
import { ratingsRoutes } from './ratings/ratings.routes.ts'
import { createRatingsService } from './ratings/ratings.service.ts'
import { type RunEndSubscription, subscribeToRunEnds } from './run-ends.ts'
import { runsMetrics } from './runs.metrics.ts'
import { runSharesRoutes } from './sharing/run-shares.routes.ts'
import { createRunSharesService } from './sharing/run-shares.service.ts'
import { type RunFollower, toRunHandle } from './watching/run-follower.service.ts'
import { createRunStates } from './watching/run-states.service.ts'
import { watchingRoutes } from './watching/watching.routes.ts'
import { createWatchingService } from './watching/watching.service.ts'

export type { CalledRun } from './chain-runs/operations/resume-call.ts'
export type { AnswerBounds } from './engine/planned-step.ts'
export { refusePrivateNames } from './engine/private-values.ts'
export type {
  ChainRunHandle,
  RunAnswer,
  RunFailure,
  RunFailureCode,
  RunHandle,
  RunOutcome,
} from './engine/run-ending.ts'
export type { RunMessage } from './engine/run-input.ts'
export type { SentFile } from './engine/sent-files.ts'
export { presenceStatusOf } from './history/present-runs.service.ts'
export type { RunEnded, RunEndSubscription } from './run-ends.ts'
export type Runs = Awaited<ReturnType<typeof createRuns>>['service']
export const runsSlot = slot<Runs>()

type Parts =
  | ('bounded' | 'bus' | 'database' | 'db' | 'draining' | 'jobs' | 'log')
  | ('metrics' | 'rowChanges' | 'settings' | 'takeoverWaitMs')

interface Features {
  accounts: { onDisabled: (listener: (userId: number) => Promise<void>) => void }
  chains: Pick<ChainsService, 'openForRun' | 'findRunRights' | 'requireVisible'>
  files: Pick<FilesService, 'findMedia' | 'readMedia'>
  registry: Pick<ModelRegistry, 'requireAllowed' | 'requireKnown'>
  models: Models
  prompts: Pick<PromptsService, 'find' | 'findVersion' | 'listVisibleClips'>
  variables: Pick<VariablesService, 'resolve' | 'requireAllowed' | 'privateNames' | 'places'>
}

/**
 * The engine that runs models for people and stores their answers: a prompt as a run of one step, which ends with its
 * process, or a chain, which any worker may take over.
 */
export async function createRuns(
  platform: Pick<Platform, Parts>,
  { accounts, chains, files, registry, models, prompts, variables }: Features,
) {
  const { bounded, database, db, draining, jobs, log, metrics, rowChanges, settings } = platform
  const work = settings.role !== 'web'
  const { signals, ways } = createChannels(platform)
  const engine = createEngine({ db, signals, ways, takeoverWaitMs: platform.takeoverWaitMs })
  const checkAnswer = createAnswerChecks({ bounded })
  const promptRunner = createPromptRunner({ db, engine, models, checkAnswer, log })
  const chainWorkers = createChainWorkers({
    db,
    engine,
    runner: { engine, models, checkAnswer, variables, files, log, observe: metrics },
    records: createRunRecords({ db, engine, log }),
    log,
    work,
    isPaused: () => draining.aborted || database.move.current() !== null,
    runsAtOnce: settings.chainRunsAtOnce,
  })
  const findState = prepareFindRunState(db)
  const history: RunHistoryDeps = { db, engine, files, prompts, chains, log, findState }
  const states = createRunStates({ db, findState: history.findState, active: engine.active, log })
  const follower: RunFollower = { db, engine, states, log }
  const promptRuns: PromptRunsDeps = { registry, promptRunner, prompts, variables, files }
  const openPlan = createOpenPlan({ rowChanges, chains })
  const chainRuns: ChainRunsDeps = {
    db,
    registry,
    workers: chainWorkers,
    chains,
    history,
    follower,
    openPlan,
    variables,
  }
  const watching = createWatchingService({ engine, history, states, draining })
  const clock = createLeaseClock({ engine, chainWorkers, log })
  if (metrics !== undefined) runsMetrics(platform, metrics)
  accounts.onDisabled(engine.stopDisabled)
  signals.onReconnect(clock.onReconnect)
  await clock.recover()

  return {
    service: {
      promptRuns: {
        start: (wanted: Parameters<typeof startPromptRun>[1]) => startPromptRun(promptRuns, wanted),
      },
      chainRuns: {
        reserveId: engine.reserveId,
        start: (wanted: Parameters<typeof startChainRun>[1]) => startChainRun(chainRuns, wanted),
        follow: (id: number) => followChainRun(chainRuns, id),
        findCalled: (wanted: Parameters<typeof findCalledRun>[1]) => findCalledRun(chainRuns, wanted),
        resumeCall: (call: Parameters<typeof resumeCall>[1]) => resumeCall(chainRuns, call),
      },
      /** One run with its texts, as its viewer sees it. */
      find: (wanted: WantedRun) => readRun(history, wanted),
      /** Resolves once a run that was started before has ended, wherever it goes on. */
      awaitRun: async (id: number): Promise<void> => {
        await toRunHandle(follower, { id, position: 0 }).outcome
      },
      /** How many go on in this process. */
      countHere: () => engine.active.count,
      /** Stops a run, whoever started it, wherever it goes on; one that has ended stays as it is. */
      stop: (id: number): Promise<void> => engine.cancel(id),
      /** Called once for each subscriber, before the start. */
      onRunEnded: (subscription: RunEndSubscription) => subscribeToRunEnds({ jobs, engine }, subscription),
      /** Ends all runs of prompts, releases those of chains, and waits until that is stored. */
      async endRuns(): Promise<void> {
        clock.stop()
        engine.close()
        await Promise.all([promptRunner.drain(), drainWorkers(chainWorkers)])
        if (work) await signals.send({ type: 'waiting' })
      },
    },
    routes: [
      promptRunsRoutes(promptRuns),
      chainRunsRoutes(chainRuns),
      runHistoryRoutes(history),
      ratingsRoutes({ ratings: createRatingsService({ db, history }) }),
      ...runSharesRoutes({
        runShares: createRunSharesService({ db, history, chains, prompts, variables }),
      }),
      watchingRoutes({ history, watching, draining }),
    ],
    /** Listens to the other processes. */
    start: async () => {
      await engine.remote.start()
      await signals.start()
    },
    close: async () => {
      await signals.close()
      await ways.close()
    },
  }
}

/** How the processes of this database tell each other about runs. */
function createChannels({
  bus,
  database,
  metrics,
  ...shared
}: Pick<Platform, 'bus' | 'database' | 'db' | 'log' | 'metrics'>) {
  const common = { ...shared, database, count: metrics?.runMessageSent }
  const signals = createRunSignals({ ...common, alone: database.kind === 'embedded' })
  return { signals, ways: createTextWays({ ...common, self: signals.self, bus }) }
}
