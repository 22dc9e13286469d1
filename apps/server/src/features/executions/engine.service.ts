import type { ModelAlias } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Models } from '../../platform/models/models.ts'
import type { VariablesService } from '../variables/variables.service.ts'
import { ActiveRun, ActiveRuns } from './active-runs.ts'
import { callModel, toStepRow } from './call-model.ts'
import { createChainRunner } from './chain-runner.service.ts'
import { createChainWorkers } from './chain-workers.service.ts'
import {
  type FinishedRun,
  finishPromptRun,
  type NewPromptRun,
  prepareCreatePromptRun,
} from './executions.repository.ts'
import { extendLeases, listAbandonedPromptRuns, releaseAllRuns, requestCancel } from './leases.repository.ts'
import type { LiveText } from './live-text.ts'
import { createRemoteRuns } from './remote-runs.service.ts'
import { type RunFailure, type RunOutcome, stoppedByServer, toFailure } from './run-ending.ts'
import type { RunSignals } from './run-signals.service.ts'

const LEASE_TICK_MS = 10_000
/** On the one session of an embedded database writes wait for each other; on a server they need not. */
const WRITES_TOGETHER = { embedded: 8, server: 1 }

/** A prompt's run under way in this process; it goes on whether or not someone watches. */
export interface StartedPromptRun {
  executionId: number
  text: LiveText
  /** Settles after what it says has been stored; never rejects. */
  outcome: Promise<RunOutcome>
}

export interface PromptRunPlan {
  record: NewPromptRun
  call: { alias: ModelAlias; system?: string; prompt: string }
  /** Aborted when the person stops the run. */
  signal?: AbortSignal | undefined
}

export interface EngineDeps {
  db: Database
  models: Models
  variables: Pick<VariablesService, 'resolve'>
  signals: RunSignals
  log: Log
  /** Whether chains run in this process; prompts always do. */
  work: boolean
}

export type Engine = ReturnType<typeof createEngine>

/**
 * The one way in which Catenary runs models for people, and keeps what they answer: a prompt as a run of one step,
 * which ends with its process, or a chain, which any worker takes over.
 */
export function createEngine({ db, models, variables, signals, log, work }: EngineDeps) {
  const closing = new AbortController()
  const active = new ActiveRuns()
  const promptRuns = new Set<Promise<RunOutcome>>()
  const writesTogether = signals.alone ? WRITES_TOGETHER.embedded : WRITES_TOGETHER.server
  const common = { db, log, writesTogether, closing: closing.signal }
  const runChain = createChainRunner({ ...common, models, variables })
  const chains = createChainWorkers({ ...common, active, runChain, signals, work })
  const remote = createRemoteRuns({ active, signals })
  const tick = setInterval(() => void keepLeases().catch(logLeases), LEASE_TICK_MS).unref()
  const logLeases = (error: unknown): void => log.warn({ err: error }, 'leases could not be kept')

  signals.subscribe((signal) => {
    if (signal.type === 'waiting') chains.look()
    if (signal.type === 'stop') active.stop(signal.ids, 'person')
    if (signal.type === 'disabled') active.stopOf(signal.userId, 'disabled')
  })

  async function keepLeases(): Promise<void> {
    const held = active.entries().map(([id, run]) => ({ id, attempt: run.attempt, run }))
    const kept = held.length === 0 ? [] : await extendLeases(db, held)
    const keptById = new Map(kept.map((lease) => [lease.id, lease]))
    for (const { id, run } of held) {
      const lease = keptById.get(id)
      if (lease === undefined) run.stop('lost')
      else if (lease.cancelRequested) run.stop('person')
      else if (lease.runnerDisabled) run.stop('disabled')
    }
    for (const executionId of await listAbandonedPromptRuns(db)) {
      await store({ executionId, aiResponse: '', durationMs: 0, ...asRow(stoppedByServer) })
    }
    chains.look()
  }

  const createPromptRun = prepareCreatePromptRun(db)
  const store = (run: FinishedRun): Promise<void> => finishPromptRun(db, run)

  async function follow({ executionId, run, answer, startedAt, signal }: Following): Promise<RunOutcome> {
    const ending = () => ({ executionId, aiResponse: run.text, durationMs: Date.now() - startedAt })
    try {
      const result = await answer
      await store({ ...ending(), ...toStepRow(result), status: 'completed' })
      return { status: 'completed', result }
    } catch (error) {
      const failure = toFailure({ error, signal })
      if (failure.code === 'internal') log.error({ err: error, executionId }, 'run failed')
      await store({ ...ending(), ...asRow(failure) }).catch((cause: unknown) => {
        log.error({ err: cause, executionId }, 'the end of a run could not be stored')
      })
      return failure
    }
  }

  return {
    active,
    remote,
    chains,
    /** Aborts when the process stops. */
    closing: closing.signal,

    /** Looks after the runs at once, where something may have been missed. */
    keepLeases: () => void keepLeases().catch(logLeases),

    /** Ends or takes up the runs that dead processes left behind; from then on the clock does it. */
    async recover(): Promise<void> {
      if (signals.alone) await releaseAllRuns(db)
      await keepLeases()
    },

    /** Starts a run of one step; resolves once it is recorded. */
    async startPrompt({ record, call, signal }: PromptRunPlan): Promise<StartedPromptRun> {
      const run = new ActiveRun({ attempt: 0, userId: record.userId })
      const text = run.begin({ position: 0 })
      const startedAt = Date.now()
      const signals = signal === undefined ? run.signal : AbortSignal.any([run.signal, signal])
      // Called now, so that the first token does not wait for the write of the run's row.
      const answer = callModel({ models, call: { ...call, signal: signals }, run })
      answer.catch(() => undefined)
      const executionId = await createPromptRun(record).catch((error: unknown) => {
        run.stop('lost')
        throw error
      })
      active.add(executionId, run)
      if (closing.signal.aborted) run.stop('server')
      const outcome = follow({ executionId, run, answer, startedAt, signal: signals }).finally(() => {
        active.delete(executionId, run)
        promptRuns.delete(outcome)
      })
      promptRuns.add(outcome)
      return { executionId, text, outcome }
    },

    /** Stops runs, wherever they go on. */
    async cancel(executionIds: number[]): Promise<void> {
      if (executionIds.length === 0) return
      await requestCancel(db, executionIds)
      active.stop(executionIds, 'person')
      for (const id of executionIds) active.notify(id, 'step')
      await signals.send({ type: 'stop', ids: executionIds })
    },

    /** Stops what goes on as a person whose account has just been disabled, wherever it goes on. */
    async stopDisabled(userId: number): Promise<void> {
      active.stopOf(userId, 'disabled')
      await signals.send({ type: 'disabled', userId })
    },

    /** Ends all runs of prompts, gives those of chains back, and waits until that is stored. */
    async close(): Promise<void> {
      clearInterval(tick)
      closing.abort()
      for (const [, run] of active.entries()) run.stop('server')
      await Promise.all([...promptRuns, chains.drain()])
      if (work) await signals.send({ type: 'waiting' })
    },
  }
}

interface Following {
  executionId: number
  run: ActiveRun
  answer: ReturnType<typeof callModel>
  startedAt: number
  signal: AbortSignal
}

function asRow({ status, message, code }: RunFailure): Pick<FinishedRun, 'status' | 'error' | 'errorCode'> {
  return { status, error: message, errorCode: code }
}
