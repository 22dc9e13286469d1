import type { User } from '@catenary/contracts'
import type { Database } from '../../../db/executor.ts'
import type { Log } from '../../../platform/log/log.ts'
import { ActiveRun } from '../engine/active-runs.ts'
import type { Engine } from '../engine/engine.service.ts'
import { claimChainRun, type Held, releaseChainRuns } from '../engine/leases.repository.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import type { RunOutcome } from '../engine/run-ending.ts'
import { toRunInput, toRunValues } from '../engine/run-input.ts'
import { WorkerCapacity } from '../engine/worker-capacity.ts'
import { findOptionalRun, findRunner, findRunTexts, listStepRows } from '../history/runs.repository.ts'
import type { ChainPlan, ChainRunner } from './chain-runner.service.ts'
import { endOf } from './early-ends.service.ts'
import type { NewChainRun } from './new-chain-run.ts'
import type { RunRecord, RunRecords } from './run-records.service.ts'
import { type Claim, endChainRun } from './step-ends.repository.ts'

export interface ChainWorkersDeps {
  db: Database
  engine: Pick<Engine, 'active' | 'signals' | 'closing' | 'reserveId' | 'catchUp'>
  runChain: ChainRunner
  records: RunRecords
  log: Log
  /** Whether this process runs chains, or only starts them. */
  work: boolean
  /** Chain runs under way in one process; the others wait. */
  runsAtOnce: number
}

export type ChainWorkers = ReturnType<typeof createChainWorkers>

/** Runs chains in this process, as many as it may, and takes up those that wait. */
export function createChainWorkers({
  db,
  engine,
  runChain,
  records,
  log,
  work,
  runsAtOnce,
}: ChainWorkersDeps) {
  const { active, signals, closing } = engine
  const underWay = new Set<Promise<unknown>>()
  const capacity = new WorkerCapacity(runsAtOnce)
  /** Runs may be waiting that no further signal announces. */
  let someWait = false
  let claiming: Promise<void> | undefined

  const hasRoom = () => work && !closing.aborted && !capacity.isFull

  /** Runs what was claimed here; the outcome is nothing where the run goes on elsewhere. */
  function runClaimed({ plan, claimed, attempt }: Claimed): Promise<RunOutcome | undefined> {
    const run = new ActiveRun({ attempt, userId: plan.user.id })
    const release = capacity.acquire(plan.user.id)
    const added = claimed.then(
      ({ executionId }) => {
        run.isRecorded = true
        add(executionId, run)
        return executionId
      },
      () => {
        run.stop('lost')
        return undefined
      },
    )
    const ended = runChain({
      ...{ run, plan, record: records.durable(claimed) },
      yieldToOthers: async () => yieldToOthers({ ...(await claimed), userId: plan.user.id }),
    }).then(async (outcome) => {
      const executionId = await added
      if (executionId !== undefined) active.delete(executionId, run)
      return outcome
    })
    return keep(ended.finally(release))
  }

  function add(id: number, run: ActiveRun): void {
    active.add(id, run)
    if (closing.aborted) run.stop('server')
  }

  /** Runs it in this process, regardless of role and capacity, until the signal aborts. */
  function runAttached({ id, run, signal, ...toGo }: Attached): Promise<RunOutcome | undefined> {
    const stop = () => run.stop('person')
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    add(id, run)
    const ended = runChain({ run, ...toGo }).finally(() => {
      signal.removeEventListener('abort', stop)
      active.delete(id, run)
    })
    return keep(ended)
  }

  /** Counts it among what is under way here, until it has ended. */
  function keep<T>(ended: Promise<T>): Promise<T> {
    const kept = ended.finally(() => {
      underWay.delete(kept)
      if (someWait) poll()
    })
    underWay.add(kept)
    return kept
  }

  /** Tells all workers, this one too, that a run waits. */
  async function notifyWaiting(): Promise<void> {
    poll()
    await signals.send({ type: 'waiting' })
  }

  function poll(): void {
    someWait = true
    if (claiming !== undefined || !hasRoom()) return
    claiming = claimAll()
      .catch((error: unknown) => log.warn({ err: error }, 'waiting runs could not be taken up'))
      .finally(() => {
        claiming = undefined
      })
  }

  const running = () => active.entries().map(([id]) => id)

  async function claimAll(): Promise<void> {
    // After an outage the other processes extend their leases first; the timer polls again.
    if (await engine.catchUp()) return
    while (hasRoom()) {
      someWait = false
      const held = await claimChainRun(db, { ...capacity.claimOrder, running: running() })
      // Another one was announced meanwhile: poll again.
      if (held === undefined && someWait) continue
      // People at their limit here may have more runs waiting.
      someWait = held !== undefined || capacity.claimOrder.full.length > 0
      if (held === undefined) return
      await runHeld(held)
    }
  }

  async function runHeld({ id, attempt }: Held): Promise<void> {
    const plan = await loadPlan({ id, attempt })
    if (plan === undefined) return
    void runClaimed({ plan, claimed: Promise.resolve({ executionId: id, attempt }), attempt })
  }

  /** Between two steps: releases the run when this process is full and someone with fewer runs is waiting. */
  async function yieldToOthers({
    executionId,
    attempt,
    userId,
  }: Claim & { userId: number }): Promise<boolean> {
    if (!someWait || !capacity.isFull || closing.aborted) return false
    try {
      const held = await claimChainRun(db, { ...capacity.claimOrder, running: running(), fewerThan: userId })
      if (held === undefined) return false
      await releaseChainRuns(db, [{ id: executionId, attempt }])
      await runHeld(held)
      return true
    } catch (error) {
      log.warn({ err: error }, 'a run could not give way to another')
      return false
    }
  }

  /** What is left of a run that was taken over; undefined when nothing is. */
  async function loadPlan({ id, attempt }: Held): Promise<ChainPlan | undefined> {
    const found = await findOptionalRun(db, id)
    const texts = await findRunTexts(db, id)
    const runner = found && (await findRunner(db, found.userId))
    if (found === undefined || texts === undefined || runner === undefined) return undefined
    const completed = await listStepRows(db, id)
    const steps = (texts.plan as PlannedStep[]).slice(completed.length)
    const end = endOf({ run: found, isDisabled: runner.isDisabled, next: steps[0] })
    if (end !== undefined) {
      await db.transaction((tx) => endChainRun(tx, { executionId: id, attempt, ...end }))
      return undefined
    }
    const outputs = toRunInput(texts)
    for (const { outputVariableName, aiResponse } of completed)
      outputs.set(outputVariableName ?? '', aiResponse ?? '')
    const { trigger, apiCall } = found
    const depth = apiCall?.depth ?? null
    const values = toRunValues(texts)
    return { user: toUser(runner), outputs, values, steps, trigger, depth }
  }

  signals.subscribe((signal) => {
    if (signal.type === 'waiting') poll()
  })

  return {
    /** Takes up what waits, where there is room. */
    poll,

    /** Records a run and begins it: here at once, or wherever there is room, where its outcome is not known here. */
    async start({ user, record, id = null }: NewRun & { id?: number | null | undefined }): Promise<BegunRun> {
      const fields = { ...record, id, endsWithProcess: false }
      if (!hasRoom() || !capacity.hasRoomFor(user.id)) {
        const created = await records.create({ ...fields, attempt: 0 })
        await notifyWaiting()
        return { ...created, ended: Promise.resolve(undefined) }
      }
      const created = records.create({ ...fields, attempt: 1 })
      const claimed = created.then(({ id }) => ({ executionId: id, attempt: 1 }))
      const ended = runClaimed({ plan: toChainPlan({ user, record }), claimed, attempt: 1 })
      return { ...(await created), ended }
    },

    /** Starts a run whose caller waits: in this process, regardless of role and capacity; it ends with the process. */
    async startAttached({ user, record, signal }: NewRun & { signal: AbortSignal }): Promise<BegunRun> {
      const executedAt = new Date()
      const run = new ActiveRun({ attempt: 1, userId: user.id })
      const id = await engine.reserveId()
      const plan = toChainPlan({ user, record })
      const ended = runAttached({ id, run, plan, record: records.attached({ ...record, id, run }), signal })
      return { id, executedAt, ended }
    },

    /** Goes on in the same way with a run that was claimed for it; its outcome, which counts the steps from now on. */
    async resumeAttached({ id, attempt, signal }: Held & { signal: AbortSignal }) {
      const plan = await loadPlan({ id, attempt })
      if (plan === undefined) return undefined
      const run = new ActiveRun({ attempt, userId: plan.user.id })
      run.isRecorded = true
      const record = records.durable(Promise.resolve({ executionId: id, attempt }))
      return runAttached({ id, run, plan, record, signal })
    },

    /** Takes up a run that waits and has just been recorded. */
    notifyWaiting,

    /** Resolves when no run is under way here any more. */
    async drain(): Promise<void> {
      await claiming
      await Promise.all(underWay)
    },
  }
}

interface Claimed {
  plan: ChainPlan
  claimed: Promise<Claim>
  attempt: number
}

interface Attached {
  id: number
  run: ActiveRun
  plan: ChainPlan
  record: RunRecord
  /** Aborts when its caller leaves. */
  signal: AbortSignal
}

interface NewRun {
  user: User
  record: Omit<NewChainRun, 'id' | 'attempt' | 'endsWithProcess'>
}

interface BegunRun {
  id: number
  executedAt: Date
  /** Its outcome, once that is stored; undefined where it went on elsewhere. */
  ended: Promise<RunOutcome | undefined>
}

function toChainPlan({ user, record }: NewRun): ChainPlan {
  const { plan: steps, trigger, apiCall } = record
  const depth = apiCall?.depth ?? null
  const [outputs, values] = [toRunInput(record), toRunValues(record)]
  return { user, outputs, values, steps, trigger, depth }
}

function toUser({
  id,
  username,
  email,
  role,
}: {
  id: number
  username: string
  email: string
  role: string
}): User {
  return { id, username, email, role: role === 'admin' ? 'admin' : 'user' }
}
