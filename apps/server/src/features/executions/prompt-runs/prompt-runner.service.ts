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
import { batchWrites } from '../engine/write-batches.ts'
import {
  type FinishedRun,
  type NewPromptRun,
  prepareCreatePromptRuns,
  prepareFinishPromptRuns,
} from './prompt-runs.repository.ts'

/** A prompt's run under way in this process; it goes on whether or not someone watches. */
export interface StartedPromptRun {
  executionId: number
  text: LiveText
  /** Settles after what it says has been stored; never rejects. */
  outcome: Promise<RunOutcome>
}

export interface PromptRunPlan {
  record: Omit<NewPromptRun, 'id'>
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
  const { active, closing, writesTogether } = engine
  const underWay = new Set<Promise<RunOutcome>>()
  const create = batchWrites(prepareCreatePromptRuns(db), { size: writesTogether })
  const store = batchWrites(prepareFinishPromptRuns(db), { size: writesTogether })

  async function follow({ id, run, answer, recorded, startedAt, signal }: Following): Promise<RunOutcome> {
    const ending = () => ({ executionId: id, aiResponse: run.text, durationMs: Date.now() - startedAt })
    try {
      const [result] = await Promise.all([answer, recorded])
      await store({ ...ending(), ...toStepRow(result), status: 'completed' })
      return { status: 'completed', result }
    } catch (error) {
      const failure = toFailure({ error, signal })
      if (failure.code === 'internal') log.error({ err: error, executionId: id }, 'run failed')
      // What could not be recorded, nobody is to pay for.
      run.stop('lost')
      await recorded
        .then(() => store({ ...ending(), ...asRow(failure) }))
        .catch((cause: unknown) => {
          log.error({ err: cause, executionId: id }, 'the end of a run could not be stored')
        })
      return failure
    }
  }

  return {
    /** Starts a run; resolves once it has an id. Neither the model nor its first text waits until it is recorded. */
    async start({ record, call, signal }: PromptRunPlan): Promise<StartedPromptRun> {
      const run = new ActiveRun({ attempt: 0, userId: record.userId })
      const text = run.begin({ position: 0 })
      const startedAt = Date.now()
      const stop = signal === undefined ? run.signal : AbortSignal.any([run.signal, signal])
      const answer = callModel({ models, call: { ...call, signal: stop }, run })
      answer.catch(() => undefined)
      const id = await engine.reserveId().catch((error: unknown) => {
        run.stop('lost')
        throw error
      })
      const recorded = create({ ...record, id }).then(() => {
        active.add(id, run)
        if (closing.aborted) run.stop('server')
      })
      const outcome = follow({ id, run, answer, recorded, startedAt, signal: stop }).finally(() => {
        active.delete(id, run)
        underWay.delete(outcome)
      })
      underWay.add(outcome)
      return { executionId: id, text, outcome }
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
  id: number
  run: ActiveRun
  answer: ReturnType<typeof callModel>
  /** Settles once the run is in the database. */
  recorded: Promise<void>
  startedAt: number
  signal: AbortSignal
}

function asRow({ status, message, code }: RunFailure): Pick<FinishedRun, 'status' | 'error' | 'errorCode'> {
  return { status, error: message, errorCode: code }
}
