import { setTimeout as delay } from 'node:timers/promises'
import { finishOf } from '@catenary/contracts'
import { sumAll, sumKnown } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import { activeRuns } from '../engine/active-runs.ts'
import { piecesOf } from '../engine/live-text.ts'
import { firstLeft, type PlannedStep } from '../engine/planned-step.ts'
import { remoteRuns } from '../engine/remote-runs.ts'
import {
  type ChainRunHandle,
  type RunFailure,
  type RunOutcome,
  runDeleted,
  runWaiting,
  stoppedByServer,
} from '../engine/run-ending.ts'
import { StepReader } from '../engine/step-reader.ts'
import { runsEnding } from '../engine/stop-runs.ts'
import { findOptionalRun, findRunTexts, listStepRows } from '../history/runs.sql.ts'
import { runStates } from './run-states.ts'
import { Waiter } from './waiter.ts'

/** Signals announce changes; polling finds missed ones. */
const POLL_MS = 10_000
const OUTAGE_MS = 1_000

interface Followed {
  id: number
  position: number
  /** False: nothing that is written before its end is its answer. */
  isWritten?: boolean
  /** What is known of its end here; undefined where it goes on elsewhere. */
  ended?: Promise<RunOutcome | undefined>
  /** Steps up to this attempt are no part of what it took: another call counted them. */
  after?: number
}

/** The handle of a run, in whichever process it goes on. Its text throws if what was read of it came from a try that was given up. */
export function toRunHandle({ app: ctx }: Context, followed: Followed): ChainRunHandle {
  const { id, position, isWritten = true, ended = Promise.resolve(undefined) } = followed
  let outcome: Promise<RunOutcome> | undefined
  const handle: ChainRunHandle = {
    id,
    text: { read: () => readAnswer(ctx, { position: isWritten ? position : -1, handle }) },
    steps: { read: () => readSteps(ctx, { position, handle }) },
    get outcome() {
      outcome ??= ended.then((known) => known ?? followToEnd(ctx, followed))
      return outcome
    },
  }
  return handle
}

export async function awaitRun(ctx: Context, id: number): Promise<void> {
  await toRunHandle(ctx, { id, position: 0 }).outcome
}

async function followToEnd(ctx: Context, followed: Followed): Promise<RunOutcome> {
  const { id } = followed
  const unwatch = runStates(ctx).watch(id)
  const { waiter, stop } = follow(ctx, id)
  try {
    while (!runsEnding(ctx).aborted) {
      try {
        if (waiter.takeStepChange() && (await isOver(ctx, id))) {
          const outcome = await readOutcome(ctx, followed)
          if (outcome !== undefined) return outcome
          // Somebody resumed it since its state was read.
          activeRuns(ctx).notify(id, 'step')
        }
        await waiter.wait(POLL_MS)
      } catch (error) {
        ctx.log.warn({ err: error, executionId: id }, 'the end of a run could not be read')
        await delay(OUTAGE_MS)
        waiter.wake('step')
      }
    }
    return stoppedByServer
  } finally {
    stop()
    unwatch()
  }
}

async function isOver(ctx: Context, id: number): Promise<boolean> {
  const state = await runStates(ctx).state(id)
  return state?.run.status !== 'running' || state.run.waitingFor !== null
}

/** As it is now; undefined while it goes on. */
export async function readOutcome(
  { db }: Context,
  { id, after = -1 }: Pick<Followed, 'id' | 'after'>,
): Promise<RunOutcome | undefined> {
  const run = await findOptionalRun(db, id)
  const texts = await findRunTexts(db, id)
  if (run === undefined || texts === undefined) return runDeleted
  if (run.status === 'running' && run.waitingFor === null) return undefined
  const rows = await listStepRows(db, id)
  const steps = rows.filter(({ status }) => status === 'completed')
  const asked = steps.filter(({ model, skipReason }) => model !== '' && skipReason === null)
  const counted = asked.filter(({ attempt }) => attempt > after)
  const used = {
    inputTokens: sumAll(counted.map((step) => step.inputTokens)),
    outputTokens: sumAll(counted.map((step) => step.outputTokens)),
    cachedTokens: sumKnown(counted.map((step) => step.cachedTokens)),
    costNanos: sumAll(counted.map((step) => step.costNanos)),
  }
  if (run.status !== 'completed') {
    const step = run.kind === 'chain' ? (texts.plan as PlannedStep[])[firstLeft(steps)] : undefined
    // A caller is told, and asks again: a person may take days.
    if (run.status === 'running') return { ...runWaiting, used, step }
    const { status, error, errorCode } = run
    return { status, message: error ?? '', code: errorCode ?? 'internal', used, step } as RunFailure
  }
  return {
    status: 'completed',
    answer: {
      text: texts.output ?? '',
      finishReason: asked.length === 0 ? 'stop' : finishOf(asked),
      ...used,
    },
  }
}

function follow(ctx: Context, id: number) {
  const waiter = new Waiter(runsEnding(ctx))
  const unfollow = activeRuns(ctx).follow(id, (change) => waiter.wake(change))
  const unsubscribe = remoteRuns(ctx).follow(id)
  const stop = () => {
    unsubscribe()
    unfollow()
    waiter.close()
  }
  return { waiter, stop }
}

interface Read {
  position: number
  handle: ChainRunHandle
}

function followHandle(ctx: Context, { id, outcome }: ChainRunHandle) {
  const following = { ...follow(ctx, id), hasEnded: false }
  void outcome.then(() => {
    following.hasEnded = true
    following.waiter.wake('step')
  })
  return following
}

async function* readSteps(ctx: Context, { position, handle }: Read): AsyncGenerator<number> {
  const closing = runsEnding(ctx)
  const following = followHandle(ctx, handle)
  let reported = -1
  try {
    while (!closing.aborted && !following.hasEnded && reported < position) {
      const begun = remoteRuns(ctx).step(handle.id)?.position ?? -1
      if (begun > reported) {
        reported = begun
        yield begun
      } else await following.waiter.wait(POLL_MS)
    }
  } finally {
    following.stop()
  }
}

async function* readAnswer(ctx: Context, { position, handle }: Read): AsyncGenerator<string> {
  const closing = runsEnding(ctx)
  const remote = remoteRuns(ctx)
  const reader = new StepReader()
  const following = followHandle(ctx, handle)
  let sent = 0
  try {
    while (!closing.aborted) {
      // Looked at before the text is read, so that none of it comes after.
      const isWhole = following.hasEnded
      for (const piece of reader.pieces(() => remote.step(handle.id))) {
        if (piece.position !== position) continue
        if (piece.from !== sent) throw beganAnew()
        sent += piece.text.length
        yield piece.text
      }
      if (isWhole) break
      await following.waiter.wait(POLL_MS)
    }
    const outcome = await handle.outcome
    const rest = outcome.status === 'completed' ? outcome.answer.text.slice(sent) : ''
    yield* piecesOf(rest)
  } finally {
    following.stop()
  }
}

function beganAnew(): AppError {
  return new AppError('unavailable', 'The answer restarted after part of it was sent. Request it again.')
}
