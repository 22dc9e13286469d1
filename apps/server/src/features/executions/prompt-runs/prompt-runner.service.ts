import type { ModelAlias } from '@catenary/contracts'
import type { Database } from '../../../db/executor.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Models } from '../../../platform/models/models.ts'
import { ActiveRun } from '../engine/active-runs.ts'
import { callModel, toStepRow } from '../engine/call-model.ts'
import type { Engine } from '../engine/engine.service.ts'
import { listAbandonedPromptRuns } from '../engine/leases.repository.ts'
import type { LiveText } from '../engine/live-text.ts'
import { type RunFailure, type RunOutcome, stoppedByServer, toFailure } from '../engine/run-ending.ts'
import {
  type FinishedRun,
  finishPromptRun,
  type NewPromptRun,
  prepareCreatePromptRun,
} from './prompt-runs.repository.ts'

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

export interface PromptRunnerDeps {
  db: Database
  engine: Engine
  models: Models
  log: Log
}

export type PromptRunner = ReturnType<typeof createPromptRunner>

/** Runs prompts: a run of one step, which ends with its process. */
export function createPromptRunner({ db, engine, models, log }: PromptRunnerDeps) {
  const { active, closing } = engine
  const underWay = new Set<Promise<RunOutcome>>()
  const create = prepareCreatePromptRun(db)
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
    /** Starts a run; resolves once it is recorded. */
    async start({ record, call, signal }: PromptRunPlan): Promise<StartedPromptRun> {
      const run = new ActiveRun({ attempt: 0, userId: record.userId })
      const text = run.begin({ position: 0 })
      const startedAt = Date.now()
      const stop = signal === undefined ? run.signal : AbortSignal.any([run.signal, signal])
      // Called now, so that the model does not wait for the write of the run's row.
      const answer = callModel({ models, call: { ...call, signal: stop }, run })
      answer.catch(() => undefined)
      const executionId = await create(record).catch((error: unknown) => {
        run.stop('lost')
        throw error
      })
      active.add(executionId, run)
      if (closing.aborted) run.stop('server')
      const outcome = follow({ executionId, run, answer, startedAt, signal: stop }).finally(() => {
        active.delete(executionId, run)
        underWay.delete(outcome)
      })
      underWay.add(outcome)
      return { executionId, text, outcome }
    },

    /** Ends the runs whose processes are gone. */
    async endAbandoned(): Promise<void> {
      for (const executionId of await listAbandonedPromptRuns(db)) {
        await store({ executionId, aiResponse: '', durationMs: 0, ...asRow(stoppedByServer) })
      }
    },

    /** Resolves when the end of each run here is stored. */
    async drain(): Promise<void> {
      await Promise.all(underWay)
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
