import type { User } from '@catenary/contracts'
import type { Database } from '../../../db/executor.ts'
import type { Log } from '../../../platform/log/log.ts'
import { ActiveRun } from '../engine/active-runs.ts'
import type { Engine } from '../engine/engine.service.ts'
import { claimChainRun } from '../engine/leases.repository.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import {
  lostTooOften,
  MAX_LOST_WORKERS,
  type RunFailure,
  runnerDisabled,
  stoppedWhileWaiting,
} from '../engine/run-ending.ts'
import { batchWrites } from '../engine/write-batches.ts'
import {
  findOptionalRun,
  findRunner,
  findRunTexts,
  listStepRows,
  type RunRow,
} from '../history/runs.repository.ts'
import type { ChainPlan, ChainRunner } from './chain-runner.service.ts'
import { type NewChainRun, prepareCreateChainRuns } from './chain-runs.repository.ts'
import { toRunInput } from './run-input.ts'
import { type Claim, type EndedRun, endChainRun, type StepEnd } from './step-ends.repository.ts'

/** Chain runs under way in one process; the others wait. */
const MAX_RUNS = 64

export interface ChainWorkersDeps {
  db: Database
  engine: Pick<Engine, 'active' | 'signals' | 'writesTogether' | 'closing'>
  runChain: ChainRunner
  log: Log
  /** Whether this process runs chains, or only starts them. */
  work: boolean
}

export type ChainWorkers = ReturnType<typeof createChainWorkers>

/** Runs chains in this process, as many as it may, and takes up those that wait. */
export function createChainWorkers({ db, engine, runChain, log, work }: ChainWorkersDeps) {
  const { active, signals, writesTogether, closing } = engine
  const create = batchWrites(prepareCreateChainRuns(db), { size: writesTogether })
  const underWay = new Set<Promise<void>>()
  /** Runs may wait that nobody will tell of again. */
  let someWait = false
  let claiming: Promise<void> | undefined

  const hasRoom = () => work && !closing.aborted && underWay.size < MAX_RUNS

  function run({ plan, claimed, attempt }: { plan: ChainPlan; claimed: Promise<Claim>; attempt: number }) {
    const run = new ActiveRun({ attempt, userId: plan.user.id })
    const added = claimed.then(
      ({ executionId }) => {
        active.add(executionId, run)
        if (closing.aborted) run.stop('server')
        return executionId
      },
      () => {
        run.stop('lost')
        return undefined
      },
    )
    const ended = runChain({ run, plan, claimed }).then(async () => {
      const executionId = await added
      if (executionId !== undefined) active.delete(executionId, run)
      underWay.delete(ended)
      if (someWait) look()
    })
    underWay.add(ended)
  }

  /** Tells all workers, this one too, that a run waits. */
  async function tellWaiting(): Promise<void> {
    look()
    await signals.send({ type: 'waiting' })
  }

  function look(): void {
    someWait = true
    if (claiming !== undefined || !hasRoom()) return
    claiming = claimAll()
      .catch((error: unknown) => log.warn({ err: error }, 'waiting runs could not be taken up'))
      .finally(() => {
        claiming = undefined
      })
  }

  async function claimAll(): Promise<void> {
    while (hasRoom()) {
      someWait = false
      const held = await claimChainRun(db)
      // Told of another one meanwhile: look again.
      if (held === undefined && someWait) continue
      if (held === undefined) return
      someWait = true
      const plan = await loadPlan(held)
      if (plan !== undefined)
        run({
          plan,
          claimed: Promise.resolve({ executionId: held.id, attempt: held.attempt }),
          attempt: held.attempt,
        })
    }
  }

  /** What is left of a run that was taken over; undefined when nothing is. */
  async function loadPlan({ id, attempt }: { id: number; attempt: number }): Promise<ChainPlan | undefined> {
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
    return { user: toUser(runner), outputs, steps }
  }

  signals.subscribe((signal) => {
    if (signal.type === 'waiting') look()
  })

  return {
    /** Takes up what waits, where there is room. */
    look,

    /** Records a run and begins it: here at once, or wherever there is room. */
    async start({ user, record }: { user: User; record: Omit<NewChainRun, 'attempt'> }) {
      if (!hasRoom()) {
        const created = await create({ ...record, attempt: 0 })
        await tellWaiting()
        return created
      }
      const created = create({ ...record, attempt: 1 })
      const claimed = created.then(({ id }) => ({ executionId: id, attempt: 1 }))
      run({ plan: { user, outputs: toRunInput(record), steps: record.plan }, claimed, attempt: 1 })
      return created
    },

    /** Takes up a run that waits and has just been recorded. */
    tellWaiting,

    /** Resolves when no run is under way here any more. */
    async drain(): Promise<void> {
      await claiming
      await Promise.all(underWay)
    },
  }
}

/** Why a run that was taken over ends at once, if it does. */
function endOf({
  run,
  isDisabled,
  next,
}: {
  run: Pick<RunRow, 'cancelRequestedAt' | 'lostWorkers' | 'lostAt'>
  isDisabled: boolean
  next: PlannedStep | undefined
}): Omit<EndedRun, keyof Claim> | undefined {
  const endAs = ({ status, message, code }: RunFailure) => ({ status, error: message, errorCode: code })
  if (run.cancelRequestedAt !== null) return endAs(stoppedWhileWaiting)
  if (isDisabled) return endAs(runnerDisabled)
  if (next === undefined || run.lostAt !== next.position || run.lostWorkers < MAX_LOST_WORKERS)
    return undefined
  return { ...endAs(lostTooOften), end: notCalled(next) }
}

function notCalled(step: PlannedStep): StepEnd {
  const nothing = { startedAt: null, inputContent: null, aiResponse: null, durationMs: null }
  return { step, ...nothing, inputSegments: [], resolved: {}, retries: 0 }
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
