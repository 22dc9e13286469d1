import type { Database } from '../../../db/executor.ts'
import type { Log } from '../../../platform/log/log.ts'
import { ActiveRun } from '../engine/active-runs.ts'
import type { Engine } from '../engine/engine.service.ts'
import { type ClaimedRun, claimChainRun, type Lease, releaseChainRuns } from '../engine/leases.repository.ts'
import type { RunOutcome } from '../engine/run-ending.ts'
import { WorkerCapacity } from '../engine/worker-capacity.ts'
import { type ChainPlan, loadChainPlan, type NewRun, toChainPlan } from './chain-plan.service.ts'
import { type ChainRunnerDeps, runChain } from './chain-runner.service.ts'
import type { RunRecord, RunRecords } from './run-records.service.ts'
import type { Claim } from './step-ends.repository.ts'

type EngineParts =
  | ('active' | 'signals' | 'closing' | 'reserveId' | 'subscribersOf')
  | ('catchUp' | 'ownersFirst')

export interface ChainWorkersDeps {
  db: Database
  engine: Pick<Engine, EngineParts>
  runner: ChainRunnerDeps
  records: RunRecords
  log: Log
  /** Whether this process runs chains, or only starts them. */
  work: boolean
  /** Nothing is claimed meanwhile, and what is under way is given back after its step. */
  isPaused: () => boolean
  /** Chain runs under way in one process; the others wait. */
  runsAtOnce: number
}

/** The chain runs of this process, its capacity, and what it knows of waiting runs. */
export interface ChainWorkers extends ChainWorkersDeps {
  underWay: Set<Promise<unknown>>
  capacity: WorkerCapacity
  /** Runs may be waiting that no further signal announces. */
  someWait: boolean
  claiming: Promise<void> | undefined
}

/** Claims waiting runs as other processes announce them. */
export function createChainWorkers(deps: ChainWorkersDeps): ChainWorkers {
  const workers: ChainWorkers = {
    ...deps,
    underWay: new Set(),
    capacity: new WorkerCapacity(deps.runsAtOnce),
    someWait: false,
    claiming: undefined,
  }
  deps.engine.signals.subscribe((signal) => {
    if (signal.type === 'waiting') pollWaiting(workers)
  })
  return workers
}

interface BegunRun {
  id: number
  executedAt: Date
  /** Its outcome, once that is stored; undefined where it went on elsewhere. */
  ended: Promise<RunOutcome | undefined>
}

/** Records a run and begins it: here at once, or wherever there is room, where its outcome is not known here. */
export async function beginRun(
  workers: ChainWorkers,
  { user, record, id = null }: NewRun & { id?: number | null | undefined },
): Promise<BegunRun> {
  const { records } = workers
  const fields = { ...record, id, endsWithProcess: false }
  if (!hasRoom(workers) || !workers.capacity.hasRoomFor(user.id)) {
    const created = await records.create({ ...fields, attempt: 0 })
    await notifyWaiting(workers)
    return { ...created, ended: Promise.resolve(undefined) }
  }
  const created = records.create({ ...fields, attempt: 1 })
  const claimed = created.then(({ id }) => ({ executionId: id, attempt: 1 }))
  const ended = runClaimed(workers, { plan: toChainPlan({ user, record }), claimed, attempt: 1 })
  return { ...(await created), ended }
}

/** Begins a run whose caller waits: in this process, regardless of role and capacity; it ends with the process. */
export async function beginAttached(
  workers: ChainWorkers,
  { user, record: fields, signal }: NewRun & { signal: AbortSignal },
): Promise<BegunRun> {
  const executedAt = new Date()
  const run = new ActiveRun({ attempt: 1, userId: user.id })
  const id = await workers.engine.reserveId()
  const plan = toChainPlan({ user, record: fields })
  const record = workers.records.attached({ ...fields, id, run })
  return { id, executedAt, ended: runAttached(workers, { id, run, plan, record, signal }) }
}

/** Goes on in the same way with a run that was claimed for it; its outcome, which counts the steps from now on. */
export async function resumeAttached(
  workers: ChainWorkers,
  { id, attempt, signal }: Lease & { signal: AbortSignal },
): Promise<RunOutcome | undefined> {
  const plan = await loadChainPlan(workers.db, { id, attempt })
  if (plan === undefined) return undefined
  const run = new ActiveRun({ attempt, userId: plan.user.id })
  run.isRecorded = true
  const record = workers.records.durable(Promise.resolve({ executionId: id, attempt }))
  return runAttached(workers, { id, run, plan, record, signal })
}

/** Notifies all workers, this one too, of a waiting run that has just been recorded. */
export async function notifyWaiting(workers: ChainWorkers): Promise<void> {
  pollWaiting(workers)
  await workers.engine.signals.send({ type: 'waiting' })
}

/** Claims waiting runs while there is capacity. */
export function pollWaiting(workers: ChainWorkers): void {
  workers.someWait = true
  if (workers.claiming !== undefined || !hasRoom(workers)) return
  workers.claiming = claimAll(workers)
    .catch((error: unknown) => {
      workers.engine.ownersFirst.noteFailure(error)
      workers.log.warn({ err: error }, 'waiting runs could not be taken up')
    })
    .finally(() => {
      workers.claiming = undefined
    })
}

/** Resolves when no run is under way here any more. */
export async function drainWorkers(workers: ChainWorkers): Promise<void> {
  await workers.claiming
  await Promise.all(workers.underWay)
}

function hasRoom({ work, engine, capacity, isPaused }: ChainWorkers): boolean {
  return work && !engine.closing.aborted && !capacity.isFull && !isPaused()
}

async function claimAll(workers: ChainWorkers): Promise<void> {
  await workers.engine.catchUp()
  while (hasRoom(workers)) {
    workers.someWait = false
    const held = await claimNext(workers)
    // Another one was announced meanwhile: poll again.
    if (held === undefined && workers.someWait) continue
    // People at their limit here may have more runs waiting.
    workers.someWait = held !== undefined || workers.capacity.claimOrder.full.length > 0
    if (held === undefined) return
    await runHeld(workers, held)
  }
}

function claimNext({ db, engine, capacity }: ChainWorkers, fewer: { fewerThan?: number } = {}) {
  const running = engine.active.entries().map(([id]) => id)
  return claimChainRun(db, {
    ...capacity.claimOrder,
    running,
    takesOver: engine.ownersFirst.mayTakeOver,
    ...fewer,
  })
}

async function runHeld(workers: ChainWorkers, { id, attempt, wasLost }: ClaimedRun): Promise<void> {
  if (wasLost) workers.runner.observe?.chainRunsTakenOver(1)
  const plan = await loadChainPlan(workers.db, { id, attempt })
  if (plan === undefined) return
  void runClaimed(workers, { plan, claimed: Promise.resolve({ executionId: id, attempt }), attempt })
}

interface Claimed {
  plan: ChainPlan
  claimed: Promise<Claim>
  attempt: number
}

/** Runs what was claimed here; the outcome is nothing where the run goes on elsewhere. */
function runClaimed(
  workers: ChainWorkers,
  { plan, claimed, attempt }: Claimed,
): Promise<RunOutcome | undefined> {
  const { engine, records, runner } = workers
  const userId = plan.user.id
  const run = new ActiveRun({ attempt, userId })
  const release = workers.capacity.acquire(userId)
  const added = claimed.then(
    ({ executionId }) => {
      run.isRecorded = true
      add(workers, { id: executionId, run })
      return executionId
    },
    () => {
      run.stop('lost')
      return undefined
    },
  )
  const ended = runChain(runner, {
    run,
    plan,
    record: records.durable(claimed),
    yieldToOthers: async () => yieldToOthers(workers, { ...(await claimed), userId }),
  }).then(async (outcome) => {
    const executionId = await added
    if (executionId !== undefined) engine.active.delete(executionId, run)
    return outcome
  })
  return keep(workers, ended.finally(release))
}

/** Between two steps: releases the run when the workers pause, or this process is full and someone with fewer runs is waiting. */
async function yieldToOthers(
  workers: ChainWorkers,
  { executionId, attempt, userId }: Claim & { userId: number },
): Promise<boolean> {
  const { db, engine, capacity, log } = workers
  const isPaused = workers.isPaused()
  if (!isPaused && (!workers.someWait || !capacity.isFull)) return false
  if (engine.closing.aborted) return false
  try {
    if (isPaused) {
      await releaseChainRuns(db, [{ id: executionId, attempt }])
      await engine.signals.send({ type: 'waiting' })
      return true
    }
    const held = await claimNext(workers, { fewerThan: userId })
    if (held === undefined) return false
    await releaseChainRuns(db, [{ id: executionId, attempt }])
    await runHeld(workers, held)
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
  /** Aborts when its caller leaves. */
  signal: AbortSignal
}

/** Runs it in this process, regardless of role and capacity, until the signal aborts. */
function runAttached(
  workers: ChainWorkers,
  { id, run, signal, ...toGo }: Attached,
): Promise<RunOutcome | undefined> {
  const stop = () => run.stop('person')
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  add(workers, { id, run })
  const ended = runChain(workers.runner, { run, ...toGo }).finally(() => {
    signal.removeEventListener('abort', stop)
    workers.engine.active.delete(id, run)
  })
  return keep(workers, ended)
}

function add({ engine }: ChainWorkers, { id, run }: { id: number; run: ActiveRun }): void {
  engine.active.add(id, run)
  if (engine.closing.aborted) run.stop('server')
}

/** Counts it among what is under way here, until it has ended. */
function keep<T>(workers: ChainWorkers, ended: Promise<T>): Promise<T> {
  const kept = ended.finally(() => {
    workers.underWay.delete(kept)
    if (workers.someWait) pollWaiting(workers)
  })
  workers.underWay.add(kept)
  return kept
}
