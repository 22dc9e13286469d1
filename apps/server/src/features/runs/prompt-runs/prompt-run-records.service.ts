import type { Database } from '../../../db/executor.ts'
import type { ActiveRun } from '../engine/active-runs.ts'
import type { Engine } from '../engine/engine.service.ts'
import { batchWrites } from '../engine/write-batches.ts'
import {
  type FinishedRun,
  type NewPromptRun,
  prepareCreatePromptRuns,
  prepareFinishPromptRuns,
  prepareStoreWholePromptRuns,
} from './prompt-runs.repository.ts'

/** A run that takes longer is recorded while it goes on; a shorter one whole, by one statement and commit instead of two. */
const RECORD_AFTER_MS = 100
/** Callers wait for them, on either database. */
const WHOLE_RUNS_TOGETHER = 32

/** How a run is kept. */
export interface PromptRunRecord {
  /** Rejects when the run could not be recorded while it goes on; never resolves. */
  unrecorded: Promise<never>
  /** Keeps what came of the run. */
  end(ending: Omit<FinishedRun, 'executionId'>): Promise<void>
}

interface StartedRun extends Omit<NewPromptRun, 'executedAt' | 'subscribers'> {
  run: ActiveRun
}

export function createPromptRunRecords({ db, engine }: { db: Database; engine: Engine }) {
  const { writesTogether } = engine
  const create = batchWrites(prepareCreatePromptRuns(db), { size: writesTogether })
  const finish = batchWrites(prepareFinishPromptRuns(db), { size: writesTogether })
  const storeWhole = batchWrites(prepareStoreWholePromptRuns(db), { size: WHOLE_RUNS_TOGETHER })

  return {
    begin({ run, ...started }: StartedRun): PromptRunRecord {
      const record = { ...started, subscribers: engine.subscribersOf(started), executedAt: new Date() }
      const unrecorded = Promise.withResolvers<never>()
      unrecorded.promise.catch(() => undefined)
      let recorded: Promise<void> | undefined
      const timer = setTimeout(() => {
        recorded = create(record).then((hasPrompt) => {
          run.isRecorded = true
          // Deleted before the database knew of a run that it stops.
          if (!hasPrompt) run.stop('person')
        })
        recorded.catch(unrecorded.reject)
      }, RECORD_AFTER_MS)
      return {
        unrecorded: unrecorded.promise,
        async end(ending) {
          clearTimeout(timer)
          const finished = { ...ending, executionId: record.id }
          if (recorded === undefined) return storeWhole({ ...record, ...finished })
          await recorded
          await finish(finished)
        },
      }
    },
  }
}
