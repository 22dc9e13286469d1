import type { Database } from '../../../db/executor.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { ActiveRun } from '../engine/active-runs.ts'
import type { Engine } from '../engine/engine.service.ts'
import { releaseChainRuns } from '../engine/leases.repository.ts'
import { type RunFailure, stoppedByServer } from '../engine/run-ending.ts'
import { batchWrites } from '../engine/write-batches.ts'
import { prepareCreateChainRuns } from './chain-runs.repository.ts'
import type { NewChainRun } from './new-chain-run.ts'
import {
  type Claim,
  type CompletedStep,
  type EndedRun,
  endChainRun,
  prepareStoreLastSteps,
  prepareStoreSteps,
  prepareStoreWholeRuns,
  raisePrivateValues,
  type StepEnd,
} from './step-ends.repository.ts'

/** An attached run of one step that takes longer is recorded while it goes on, so that it can be seen and stopped. */
const RECORD_AFTER_MS = 1_000
/** Callers wait for them, on either database. */
const WHOLE_RUNS_TOGETHER = 32

/** Why a run ended early, with the step that was under way, or what that took in where it can't be kept. */
type RunEnding = { failure: RunFailure } & Pick<EndedRun, 'end' | 'resolved'>

/** How a run is kept while it goes on. */
export interface RunRecord {
  /** Notes, before a step is sent, that it takes in a private value. */
  raise(): Promise<void>
  /** Keeps a step that completed, the last one with the end of its run; false where another worker has the run by now. */
  store(step: { completed: CompletedStep; isLast: boolean }): Promise<boolean>
  /** Keeps why the run ended before its end, with the step that was under way where that can be kept. */
  end(ending: RunEnding): Promise<void>
  /** Releases the run as the process stops; returns its outcome, if it ends with the process. */
  release(end: StepEnd): Promise<RunFailure | undefined>
}

export type RunRecords = ReturnType<typeof createRunRecords>

export function createRunRecords({ db, engine, log }: { db: Database; engine: Engine; log: Log }) {
  const { writesTogether } = engine
  const create = batchWrites(prepareCreateChainRuns(db), { size: writesTogether })
  const storeStep = batchWrites(prepareStoreSteps(db), { size: writesTogether })
  const storeLastStep = batchWrites(prepareStoreLastSteps(db), { size: writesTogether })
  const storeWhole = batchWrites(prepareStoreWholeRuns(db), { size: WHOLE_RUNS_TOGETHER })

  /** For a run that any worker may take over: each step is stored as it completes, under the claim. */
  function durable(claimed: Promise<Claim>): RunRecord {
    return {
      async raise() {
        await raisePrivateValues(db, await claimed)
      },
      async store({ completed, isLast }) {
        const step = { ...(await claimed), ...completed }
        return isLast ? storeLastStep(step) : storeStep(step)
      },
      async end({ failure: { status, message, code }, ...ending }) {
        const ended = { ...(await claimed), status, error: message, errorCode: code }
        await db.transaction((tx) => endChainRun(tx, { ...ended, ...ending }))
      },
      async release() {
        const { executionId, attempt } = await claimed
        await releaseChainRuns(db, [{ id: executionId, attempt }])
        return undefined
      },
    }
  }

  /**
   * For a run whose caller waits for it, and which ends with its process. A single step is stored with its run when
   * it has ended: one row of each, one commit.
   */
  function attached({ id, run, ...fields }: AttachedRun): RunRecord {
    const executedAt = new Date()
    let recorded: Promise<Claim> | undefined
    const record = (): Promise<Claim> => {
      const created = create({ ...fields, id, attempt: 1, endsWithProcess: true }).then(() => {
        run.isRecorded = true
        return { executionId: id, attempt: 1 }
      })
      recorded = created
      created.catch((error: unknown) => {
        recorded = undefined
        log.warn({ err: error, executionId: id }, 'a run could not be recorded while it goes on')
      })
      return created
    }
    // When a private run appears must not tell when it ended.
    const isShort = fields.stepCount === 1 && !fields.privateValues
    const timer = isShort ? setTimeout(record, RECORD_AFTER_MS).unref() : undefined
    if (!isShort) void record()
    const whole = { ...fields, executionId: id, attempt: 1, executedAt }
    const end: RunRecord['end'] = async (ending) => {
      clearTimeout(timer)
      const { failure, end } = ending
      if (recorded !== undefined || end === undefined) return durable(recorded ?? record()).end(ending)
      const { status, message: error, code: errorCode } = failure
      await storeWhole({ ...whole, ...end, status, error, errorCode })
    }
    return {
      async raise() {
        clearTimeout(timer)
        await durable(recorded ?? record()).raise()
      },
      async store({ completed, isLast }) {
        clearTimeout(timer)
        if (isShort && recorded === undefined)
          return storeWhole({ ...whole, ...completed, status: 'completed', error: null, errorCode: null })
        return durable(recorded ?? record()).store({ completed, isLast })
      },
      end,
      async release(underWay) {
        await end({ failure: stoppedByServer, end: underWay })
        return stoppedByServer
      },
    }
  }

  return { create, durable, attached }
}

interface AttachedRun extends Omit<NewChainRun, 'id' | 'attempt' | 'endsWithProcess'> {
  id: number
  run: ActiveRun
}
