import { type Context, onePerApp } from '../../../platform/context.ts'
import { type ActiveStep, activeRuns } from './active-runs.ts'
import { atIntervals } from './channels/at-intervals.ts'
import type { HaveText, RunSignal } from './channels/run-signals.ts'
import { type Address, textWays } from './channels/text-ways.ts'
import type { LiveChange } from './live-changes.ts'
import { StepReader } from './step-reader.ts'

/** A notification holds 8,000 bytes; a character takes at most six. */
const PIECE_LENGTH = 1_200
const PIECES_AT_ONCE = 16
const TEXT_AT_ONCE = 500_000
const INTEREST_COUNTS_MS = 25_000
const SWEEP_MS = 5_000

interface Followed {
  reader: StepReader
  isHere: boolean
  stepChanged: boolean
  until: number
  unfollow: () => void
}

interface Follower extends Address {
  runs: Map<number, Followed>
  changed: Set<number>
  send: () => void
}

/** Sends what other processes follow of the runs of this one, to these alone: one message an interval for all runs. */
export const followedElsewhere = onePerApp((ctx) => {
  const followers = new Map<string, Follower>()
  let sweeping: NodeJS.Timeout | undefined

  function sweep(): void {
    const now = performance.now()
    for (const [name, follower] of followers) {
      for (const [id, followed] of follower.runs) {
        if (followed.until > now) continue
        followed.unfollow()
        follower.runs.delete(id)
      }
      if (follower.runs.size === 0) followers.delete(name)
    }
    if (followers.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }

  return {
    hear({ runs, bus }: Extract<RunSignal, { type: 'follow' }>, sender: string): void {
      const follower = followers.get(sender) ?? createFollower(ctx, sender)
      followers.set(sender, follower)
      follower.bus = bus
      for (const have of runs) follow(ctx, follower, have)
      sweeping ??= setInterval(sweep, SWEEP_MS).unref()
    },
  }
})

function createFollower(ctx: Context, name: string): Follower {
  const ways = textWays(ctx)
  const follower: Follower = {
    name,
    bus: undefined,
    runs: new Map(),
    changed: new Set(),
    send: atIntervals({
      ms: () => ways.everyMs(follower),
      run: async () => {
        await ways.send(follower, [...takeChanges(ctx, follower)])
        if (follower.changed.size > 0) follower.send()
      },
    }),
  }
  return follower
}

function follow(ctx: Context, follower: Follower, have: HaveText): void {
  const [id, position, retries, from, waits] = have
  const followed = follower.runs.get(id) ?? begin(ctx, follower, id)
  followed.until = performance.now() + INTEREST_COUNTS_MS
  const step = activeRuns(ctx).get(id)?.step
  if (step === undefined) return
  const isSame = from >= 0 && step.position === position && step.retries === retries
  if (!isSame || waits !== (step.text.waitsFor !== undefined)) followed.stepChanged = true
  followed.reader.rewind(step, { position, retries, from: Math.max(0, from) })
  followed.isHere = true
  follower.changed.add(id)
  follower.send()
}

function begin(ctx: Context, follower: Follower, id: number): Followed {
  const active = activeRuns(ctx)
  const unfollow = active.follow(id, (change) => {
    // What other processes report of the run is not passed on.
    if (active.get(id) === undefined && !begun.isHere) return
    begun.isHere = true
    if (change === 'step') begun.stepChanged = true
    follower.changed.add(id)
    follower.send()
  })
  const begun = { reader: new StepReader(), isHere: false, stepChanged: true, until: 0, unfollow }
  follower.runs.set(id, begun)
  return begun
}

function* takeChanges(ctx: Context, { runs, changed }: Follower): Generator<string, void> {
  const active = activeRuns(ctx)
  let length = 0
  for (const id of [...changed]) {
    if (length > TEXT_AT_ONCE) return
    changed.delete(id)
    const followed = runs.get(id)
    if (followed === undefined) continue
    // Read before its text is taken, so that no text comes after.
    const isOver = active.get(id) === undefined
    const changes = changesOf(followed, { id, step: active.get(id)?.step })
    for (const change of changes.told) {
      length += change.length
      yield change
    }
    if (!changes.isAll) changed.add(id)
    else if (isOver) followed.isHere = false
  }
}

function changesOf(
  followed: Followed,
  { id, step }: { id: number; step: ActiveStep | undefined },
): { told: string[]; isAll: boolean } {
  const told: string[] = []
  while (told.length < PIECES_AT_ONCE) {
    const piece = followed.reader.next(step, PIECE_LENGTH)
    if (piece === undefined) {
      const { stepChanged } = followed
      followed.stepChanged = false
      if (stepChanged) told.push(toJson({ type: 'changed', id, ...toldStep(step) }))
      return { told, isAll: true }
    }
    told.push(toJson({ type: 'text', id, ...piece }))
  }
  return { told, isAll: false }
}

const toJson = (change: LiveChange) => JSON.stringify(change)

function toldStep(step: ActiveStep | undefined): Pick<Extract<LiveChange, { type: 'changed' }>, 'step'> {
  if (step === undefined) return {}
  const { position, retries, startedAt, text, items } = step
  return { step: { position, retries, startedAt, waitsFor: text.waitsFor, items } }
}
