import type { Transaction } from '../../../database/statements/executor.ts'
import { type Context, onePerApp, transaction } from '../../../platform/context.ts'
import { ActiveRun, activeRuns } from '../engine/active-runs.ts'
import { runSignals } from '../engine/channels/run-signals.ts'
import {
  type ClaimedRun,
  claimChainRuns,
  findHeldRun,
  type Lease,
  releaseChainRuns,
} from '../engine/leases.sql.ts'
import { reserveRunId } from '../engine/new-runs.ts'
import type { RunOutcome } from '../engine/run-ending.ts'
import { catchUp, ownersFirst } from '../engine/run-leases.ts'
import { runsEnding } from '../engine/stop-runs.ts'
import { notifyWaiting, onWaiting } from '../engine/waiting-runs.ts'
import { WorkerCapacity } from '../engine/worker-capacity.ts'
import { type ChainPlan, loadChainPlan, type NewRun, openClaimed, toChainPlan } from './chain-plan.ts'
import { insertWaitingRun } from './chain-runs.sql.ts'
import { isWaiting, runChain } from './run-chain.ts'
import { attachedRecord, createRecord, durableRecord, type RunRecord } from './run-records.ts'
import type { Claim } from './step-ends.sql.ts'

/** More at once would leave other processes idle. */
const CLAIMED_TOGETHER = 8

const chainWorkers = onePerApp(({ settings }) => ({
  underWay: new Set<Promise<unknown>>(),
  capacity: new WorkerCapacity(settings.chainRunsAtOnce),
  /** Runs may be waiting that no further signal will announce. */
  someWait: false,
  claiming: undefined as Promise<void> | undefined,
}))

export const runsChains = ({ settings }: Context): boolean => settings.role !== 'web'

/** Then nothing is claimed, and running chains are given back after their step. */
const isPaused = ({ draining, move }: Context): boolean => draining.aborted || move.current() !== null

export function hearWaiting(ctx: Context): void {
  onWaiting(ctx, () => pollWaiting(ctx))
}

interface BegunRun {
  id: number
  executedAt: Date
  /** Its outcome, once that is stored; undefined where it went on elsewhere. */
  ended: Promise<RunOutcome | undefined>
}

/** Records a run and begins it: here at once, or wherever there is room, where its outcome is not known here. */
export async function beginRun(
  { app: ctx }: Context,
  { user, record, id = null }: NewRun & { id?: number | null | undefined },
): Promise<BegunRun> {
  const fields = { ...record, id, endsWithProcess: false }
  if (!hasRoom(ctx) || !chainWorkers(ctx).capacity.hasRoomFor(user.id)) {
    const created = await createRecord(ctx, { ...fields, attempt: 0 })
    await notifyWaiting(ctx)
    return { ...created, ended: Promise.resolve(undefined) }
  }
  const created = createRecord(ctx, { ...fields, attempt: 1 })
  const claimed = created.then(({ id }) => ({ executionId: id, attempt: 1 }))
  const ended = runClaimed(ctx, { plan: toChainPlan({ user, record }), claimed, attempt: 1 })
  return { ...(await created), ended }
}

interface WaitingRun extends NewRun {
  id?: number | undefined
  inRecord: (ctx: Context<Transaction>) => Promise<void>
}

/** Records a run together with what its door keeps of the call: either both are there, or neither. It waits for a worker. */
export async function beginWaiting(
  { app: ctx }: Context,
  { record, id: reserved, inRecord }: WaitingRun,
): Promise<BegunRun> {
  const id = reserved ?? (await reserveRunId(ctx))
  const executedAt = await transaction(ctx, async (ctx) => {
    await inRecord(ctx)
    return insertWaitingRun(ctx.db, { ...record, id, attempt: 0, endsWithProcess: false })
  })
  await notifyWaiting(ctx)
  return { id, executedAt, ended: Promise.resolve(undefined) }
}

/** Begins a run whose caller waits: in this process, regardless of role and capacity; it ends with the process. */
export async function beginAttached(
  { app: ctx }: Context,
  { user, record: fields, signal }: NewRun & { signal: AbortSignal },
): Promise<BegunRun> {
  const executedAt = new Date()
  const run = new ActiveRun({ attempt: 1, userId: user.id })
  const id = await reserveRunId(ctx)
  const plan = toChainPlan({ user, record: fields })
  const record = attachedRecord(ctx, { ...fields, id, run })
  return { id, executedAt, ended: runAttached(ctx, { id, run, plan, record, signal }) }
}

/** Goes on in the same way with a run that was claimed for it; its outcome, which counts the steps from now on. */
export async function resumeAttached(
  { app: ctx }: Context,
  { id, attempt, signal }: Lease & { signal: AbortSignal },
): Promise<RunOutcome | undefined> {
  const held = await findHeldRun(ctx.db, id)
  const plan = held && (await loadChainPlan(ctx, { ...held, attempt }))
  if (plan === undefined) return undefined
  const run = new ActiveRun({ attempt, userId: plan.user.id })
  run.isRecorded = true
  const record = durableRecord(ctx, Promise.resolve({ executionId: id, attempt }))
  return runAttached(ctx, { id, run, plan, record, signal })
}

export function pollWaiting({ app: ctx }: Context): void {
  const workers = chainWorkers(ctx)
  workers.someWait = true
  if (workers.claiming !== undefined || !hasRoom(ctx)) return
  workers.claiming = claimAll(ctx)
    .catch((error: unknown) => {
      ownersFirst(ctx).noteFailure(error)
      ctx.log.warn({ err: error }, 'waiting runs could not be taken up')
    })
    .finally(() => {
      workers.claiming = undefined
    })
}

export async function drainWorkers(ctx: Context): Promise<void> {
  const workers = chainWorkers(ctx)
  await workers.claiming
  await Promise.all(workers.underWay)
}

function hasRoom(ctx: Context): boolean {
  return runsChains(ctx) && !runsEnding(ctx).aborted && !chainWorkers(ctx).capacity.isFull && !isPaused(ctx)
}

async function claimAll(ctx: Context): Promise<void> {
  await catchUp(ctx)
  const workers = chainWorkers(ctx)
  const { capacity } = workers
  while (hasRoom(ctx)) {
    workers.someWait = false
    const atMost = Math.min(capacity.free, CLAIMED_TOGETHER)
    const held = await claimNext(ctx, { atMost })
    await Promise.all(held.map((run) => runHeld(ctx, run)))
    // Another one was announced meanwhile: poll again.
    if (workers.someWait) continue
    // People at their limit here may have more runs waiting.
    workers.someWait = held.length === atMost || capacity.someAreFull
    if (held.length === 0 || !workers.someWait) return
  }
}

function claimNext(ctx: Context, wanted: { fewerThan?: number; atMost?: number }) {
  const { capacity } = chainWorkers(ctx)
  const running = activeRuns(ctx)
    .entries()
    .map(([id]) => id)
  const takesOver = ownersFirst(ctx).mayTakeOver
  return claimChainRuns(ctx.db, { ...capacity.claimOrder, running, takesOver, ...wanted })
}

async function runHeld(ctx: Context, claimed: ClaimedRun): Promise<void> {
  const { id, attempt, wasLost } = claimed
  if (wasLost) ctx.metrics?.chainRunsTakenOver(1)
  const plan = await openClaimed(ctx, claimed)
  if (plan === undefined) return
  void runClaimed(ctx, { plan, claimed: Promise.resolve({ executionId: id, attempt }), attempt })
}

interface Claimed {
  plan: ChainPlan
  claimed: Promise<Claim>
  attempt: number
}

function runClaimed(ctx: Context, { plan, claimed, attempt }: Claimed): Promise<RunOutcome | undefined> {
  const userId = plan.user.id
  const run = new ActiveRun({ attempt, userId })
  const release = chainWorkers(ctx).capacity.acquire(userId)
  const added = claimed.then(
    ({ executionId }) => {
      run.isRecorded = true
      add(ctx, { id: executionId, run })
      return executionId
    },
    () => {
      run.stop('lost')
      return undefined
    },
  )
  const ended = runChain(ctx, {
    run,
    plan,
    record: durableRecord(ctx, claimed),
    yieldToOthers: async () => yieldToOthers(ctx, { ...(await claimed), userId }),
    isAwaited: () => isAwaited(ctx),
  }).then(async (outcome) => {
    const executionId = await added
    if (executionId !== undefined) activeRuns(ctx).delete(executionId, run)
    return outcome && isWaiting(outcome) ? undefined : outcome
  })
  return keep(ctx, ended.finally(release))
}

function isAwaited(ctx: Context): boolean {
  const { capacity, someWait } = chainWorkers(ctx)
  return isPaused(ctx) || (someWait && capacity.isFull)
}

/** Between two steps or items: releases the run when the workers pause, or this process is full and someone with fewer runs is waiting. */
async function yieldToOthers(
  ctx: Context,
  { executionId, attempt, userId }: Claim & { userId: number },
): Promise<boolean> {
  const { db, log } = ctx
  const pauses = isPaused(ctx)
  if (!isAwaited(ctx)) return false
  if (runsEnding(ctx).aborted) return false
  try {
    if (pauses) {
      await releaseChainRuns(db, [{ id: executionId, attempt }])
      await runSignals(ctx).send({ type: 'waiting' })
      return true
    }
    const [held] = await claimNext(ctx, { fewerThan: userId })
    if (held === undefined) return false
    await releaseChainRuns(db, [{ id: executionId, attempt }])
    await runHeld(ctx, held)
    return true
  } catch (error) {
    log.warn({ err: error }, 'a run could not give way to another')
    return false
  }
}

interface Attached {
  id: number
  run: ActiveRun
  plan: ChainPlan
  record: RunRecord
  signal: AbortSignal
}

function runAttached(ctx: Context, { id, run, signal, ...toGo }: Attached): Promise<RunOutcome | undefined> {
  const stop = () => run.stop('person')
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  add(ctx, { id, run })
  const ended = runChain(ctx, { run, ...toGo }).finally(() => {
    signal.removeEventListener('abort', stop)
    activeRuns(ctx).delete(id, run)
  })
  return keep(ctx, ended)
}

function add(ctx: Context, { id, run }: { id: number; run: ActiveRun }): void {
  activeRuns(ctx).add(id, run)
  if (runsEnding(ctx).aborted) run.stop('server')
}

function keep<T>(ctx: Context, ended: Promise<T>): Promise<T> {
  const workers = chainWorkers(ctx)
  const kept = ended.finally(() => {
    workers.underWay.delete(kept)
    if (workers.someWait) pollWaiting(ctx)
  })
  workers.underWay.add(kept)
  return kept
}
