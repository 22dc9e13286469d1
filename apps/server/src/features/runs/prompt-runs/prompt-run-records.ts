import { type Context, onePerApp } from '../../../platform/context.ts'
import type { ActiveRun } from '../engine/active-runs.ts'
import { subscribersOf, writesTogether } from '../engine/new-runs.ts'
import { batchWrites } from '../engine/write-batches.ts'
import {
  type FinishedRun,
  type NewPromptRun,
  prepareCreatePromptRuns,
  prepareFinishPromptRuns,
  prepareStoreWholePromptRuns,
} from './prompt-runs.sql.ts'

/** A run that takes longer is recorded while it goes on; a shorter one whole, by one statement and commit instead of two. */
const RECORD_AFTER_MS = 100
/** Callers wait for them, on either database. */
const WHOLE_RUNS_TOGETHER = 32

export interface PromptRunRecord {
  /** Rejects when the run could not be recorded while it goes on; never resolves. */
  unrecorded: Promise<never>
  end(ending: Omit<FinishedRun, 'executionId'>): Promise<void>
}

interface StartedRun extends Omit<NewPromptRun, 'executedAt' | 'subscribers'> {
  run: ActiveRun
}

const writes = onePerApp((ctx) => {
  const { db } = ctx
  const size = writesTogether(ctx)
  return {
    create: batchWrites(prepareCreatePromptRuns(db), { size }),
    finish: batchWrites(prepareFinishPromptRuns(db), { size }),
    storeWhole: batchWrites(prepareStoreWholePromptRuns(db), { size: WHOLE_RUNS_TOGETHER }),
  }
})

export function beginRecord(ctx: Context, { run, ...started }: StartedRun): PromptRunRecord {
  const { create, finish, storeWhole } = writes(ctx)
  const record = { ...started, subscribers: subscribersOf(ctx, started), executedAt: new Date() }
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
}
