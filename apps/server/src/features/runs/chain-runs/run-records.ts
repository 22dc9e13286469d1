import { type Context, onePerApp, transaction } from '../../../platform/context.ts'
import { type AskedStep, listAskedSteps } from '../asks/asked-steps.sql.ts'
import { openAsk } from '../asks/open-ask.ts'
import { openUnsure } from '../asks/open-unsure.ts'
import { type ActiveRun, RunStopped } from '../engine/active-runs.ts'
import { releaseChainRuns } from '../engine/leases.sql.ts'
import { nextRunId, writesTogether } from '../engine/new-runs.ts'
import { type RunFailure, stoppedByServer } from '../engine/run-ending.ts'
import { batchWrites } from '../engine/write-batches.ts'
import { prepareCreateChainRuns } from './chain-runs.sql.ts'
import {
  type BegunCall,
  beginToolCall,
  endToolCall,
  type ToolCallPlace,
} from './kinds/tool/tool-calls.sql.ts'
import {
  countItems,
  forgetLostWorkers,
  type ItemEnd,
  insertItems,
  type KnownItem,
  listKnownItems,
  type NewItems,
  storeItems,
} from './loop-items.sql.ts'
import type { NewChainRun } from './started-run.sql.ts'
import {
  type Claim,
  type CompletedStep,
  type EndedRun,
  endChainRun,
  prepareStoreLastSteps,
  prepareStoreSteps,
  prepareStoreWholeRuns,
  raisePrivateValues,
  type StepApart,
  type StepEnd,
  storeStepApart,
} from './step-ends.sql.ts'

/** An attached run of one step that takes longer is recorded while it goes on, so that it can be seen and stopped. */
const RECORD_AFTER_MS = 1_000
/** Callers wait for them, on either database. */
const WHOLE_RUNS_TOGETHER = 32

type RunEnding = { failure: RunFailure } & Pick<EndedRun, 'end' | 'resolved' | 'wouldLeave'>

type Asking = Omit<Parameters<typeof openAsk>[1], keyof Claim>
type Doubting = Omit<Parameters<typeof openUnsure>[1], keyof Claim>

export interface RunRecord {
  /** Notes, before a step is sent, that it takes in a private value. */
  raise(): Promise<void>
  /** Keeps a step that completed, the last one with the end of its run; false where another worker has the run by now. */
  store(step: { completed: CompletedStep; isLast: boolean }): Promise<boolean>
  /** The same for a step that was skipped, ends the run, or asked for each item of a list. */
  storeApart(step: Omit<StepApart, keyof Claim>): Promise<boolean>
  /** The run waits for a person from now on, and belongs to no process. */
  ask(asking: Asking): Promise<boolean>
  /** The steps that asked, each with what it asked last. */
  asked(): Promise<AskedStep[]>
  /** The same until its runner has said of each call whether it happened. */
  doubt(doubting: Doubting): Promise<boolean>
  items: ItemRecord
  calls: CallRecord
  end(ending: RunEnding): Promise<void>
  /** Releases the run as the process stops; returns its outcome, if it ends with the process. */
  release(end: StepEnd): Promise<RunFailure | undefined>
}

/** Calls of tools, of which each is known before it goes out. */
interface CallRecord {
  /** Throws `RunStopped` where another worker has the run by now. */
  begin(place: ToolCallPlace): Promise<BegunCall>
  end(place: ToolCallPlace): Promise<void>
}

/** The items of a step that runs for each of a list. */
interface ItemRecord {
  /** Of the run, whose calls have a bound. */
  count(): Promise<number>
  known(position: number): Promise<KnownItem[]>
  /** Keeps the list before the first item is sent; false where another worker has the run by now. */
  plan(items: Omit<NewItems, keyof Claim>): Promise<boolean>
  /** Keeps an item that has ended; false as above. */
  store(end: ItemEnd): Promise<boolean>
  forgetLostWorkers(): Promise<void>
}

const writes = onePerApp((ctx) => {
  const { db } = ctx
  const size = writesTogether(ctx)
  return {
    create: batchWrites(prepareCreateChainRuns(db), { size }),
    storeStep: batchWrites(prepareStoreSteps(db), { size }),
    storeLastStep: batchWrites(prepareStoreLastSteps(db), { size }),
    storeWhole: batchWrites(prepareStoreWholeRuns(db), { size: WHOLE_RUNS_TOGETHER }),
    storeItem: batchWrites(
      (ends: (Claim & ItemEnd)[]) => transaction(ctx, (ctx) => storeItems(ctx.db, ends)),
      { size },
    ),
  }
})

export const createRecord = async (ctx: Context, run: NewChainRun) =>
  writes(ctx).create({ ...run, id: run.id ?? (await nextRunId(ctx)) })

function itemRecord(ctx: Context, claimed: () => Promise<Claim>): ItemRecord {
  const { db } = ctx
  return {
    count: async () => countItems(db, (await claimed()).executionId),
    async known(position) {
      const { executionId } = await claimed()
      return listKnownItems(db, { executionId, position })
    },
    plan: async (items) => insertItems(db, { ...(await claimed()), ...items }),
    store: async (end) => writes(ctx).storeItem({ ...(await claimed()), ...end }),
    forgetLostWorkers: async () => forgetLostWorkers(db, await claimed()),
  }
}

function callRecord(ctx: Context, claimed: () => Promise<Claim>): CallRecord {
  return {
    async begin(place) {
      const begun = await beginToolCall(ctx.db, { ...(await claimed()), ...place })
      if (begun === undefined) throw new RunStopped('lost')
      return begun
    },
    end: async (place) => endToolCall(ctx.db, { ...(await claimed()), ...place }),
  }
}

/** For a run that any worker may take over: each step is stored as it completes, under the claim. */
export function durableRecord({ app: ctx }: Context, claimed: Promise<Claim>): RunRecord {
  const { storeStep, storeLastStep } = writes(ctx)
  return {
    items: itemRecord(ctx, () => claimed),
    calls: callRecord(ctx, () => claimed),
    async raise() {
      await raisePrivateValues(ctx.db, await claimed)
    },
    async store({ completed, isLast }) {
      const step = { ...(await claimed), ...completed }
      return isLast ? storeLastStep(step) : storeStep(step)
    },
    async storeApart(step) {
      const apart = { ...(await claimed), ...step }
      return transaction(ctx, (ctx) => storeStepApart(ctx.db, apart))
    },
    async ask(asking) {
      return openAsk(ctx, { ...(await claimed), ...asking })
    },
    asked: async () => listAskedSteps(ctx.db, (await claimed).executionId),
    async doubt(doubting) {
      return openUnsure(ctx, { ...(await claimed), ...doubting })
    },
    async end({ failure: { status, message, code }, ...ending }) {
      const ended = { ...(await claimed), status, error: message, errorCode: code }
      await transaction(ctx, (ctx) => endChainRun(ctx.db, { ...ended, ...ending }))
    },
    async release() {
      const { executionId, attempt } = await claimed
      await releaseChainRuns(ctx.db, [{ id: executionId, attempt }])
      return undefined
    },
  }
}

interface AttachedRun extends Omit<NewChainRun, 'id' | 'attempt' | 'endsWithProcess'> {
  id: number
  run: ActiveRun
}

/**
 * For a run whose caller waits for it, and which ends with its process. A single step is stored with its run when
 * it has ended: one row of each, one commit.
 */
export function attachedRecord({ app: ctx }: Context, { id, run, ...fields }: AttachedRun): RunRecord {
  const { create, storeWhole } = writes(ctx)
  const executedAt = new Date()
  let recorded: Promise<Claim> | undefined
  /** Its row may be there, also where to write it failed. */
  let mayBeRecorded = false
  const record = (): Promise<Claim> => {
    mayBeRecorded = true
    const created = create({ ...fields, id, attempt: 1, endsWithProcess: true }).then(() => {
      run.isRecorded = true
      return { executionId: id, attempt: 1 }
    })
    recorded = created
    created.catch((error: unknown) => {
      recorded = undefined
      ctx.log.warn({ err: error, executionId: id }, 'a run could not be recorded while it goes on')
    })
    return created
  }
  // When a private run appears must not show when it ended.
  const isShort = fields.stepCount === 1 && !fields.privateValues
  const timer = isShort ? setTimeout(record, RECORD_AFTER_MS).unref() : undefined
  if (!isShort) void record()
  const whole = { ...fields, executionId: id, attempt: 1, executedAt }
  const end: RunRecord['end'] = async (ending) => {
    clearTimeout(timer)
    const { failure, end } = ending
    if (mayBeRecorded || end === undefined) return durableRecord(ctx, recorded ?? record()).end(ending)
    const { status, message: error, code: errorCode } = failure
    await storeWhole({ ...whole, ...end, status, error, errorCode })
  }
  const recordNow = () => {
    clearTimeout(timer)
    return recorded ?? record()
  }
  return {
    items: itemRecord(ctx, recordNow),
    calls: callRecord(ctx, recordNow),
    async raise() {
      clearTimeout(timer)
      await durableRecord(ctx, recorded ?? record()).raise()
    },
    async store({ completed, isLast }) {
      clearTimeout(timer)
      if (isShort && !mayBeRecorded)
        return storeWhole({ ...whole, ...completed, status: 'completed', error: null, errorCode: null })
      return durableRecord(ctx, recorded ?? record()).store({ completed, isLast })
    },
    async storeApart(step) {
      clearTimeout(timer)
      return durableRecord(ctx, recorded ?? record()).storeApart(step)
    },
    async ask(asking) {
      clearTimeout(timer)
      return durableRecord(ctx, recorded ?? record()).ask(asking)
    },
    asked: async () => durableRecord(ctx, recordNow()).asked(),
    async doubt(doubting) {
      clearTimeout(timer)
      return durableRecord(ctx, recorded ?? record()).doubt(doubting)
    },
    end,
    async release(underWay) {
      await end({ failure: stoppedByServer, end: underWay })
      return stoppedByServer
    },
  }
}
