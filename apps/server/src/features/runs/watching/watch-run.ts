import type { SeenRunState, User } from '@catenary/contracts'
import { type Context, onePerApp } from '../../../platform/context.ts'
import { activeRuns } from '../engine/active-runs.ts'
import { remoteRuns } from '../engine/remote-runs.ts'
import { StepReader } from '../engine/step-reader.ts'
import { toState } from '../history/read-run.ts'
import { findRunView, type RunView } from '../history/run-access.ts'
import { runStates } from './run-states.ts'
import { Waiter } from './waiter.ts'

/** How often each watcher's rights are checked: once a second, or all watchers together a hundred times a second. */
const RIGHTS_MS = 1_000
const RIGHTS_MS_A_WATCHER = 10

type WatchEvent =
  | { event: 'state'; data: SeenRunState }
  | { event: 'delta'; data: { position: number; from: number; text: string } }
  | { event: 'end'; data: Pick<SeenRunState, 'status'> }

interface Watch {
  id: number
  /** Who watches, for as long as they are signed in. */
  findViewer: () => Promise<User | null>
  signal: AbortSignal
}

const watching = onePerApp(() => ({ watchers: 0 }))

/**
 * Sends the state of a run of any process, the text so far of the running step, then changes, and `end`. A slow reader
 * gets missed pieces as it reads. People other than the starter get no text of a running step. Ends without `end` when
 * the watcher loses access, or the process stops.
 */
export async function* watchRun(
  ctx: Context,
  { id, findViewer, signal }: Watch,
): AsyncGenerator<WatchEvent, void> {
  const states = runStates(ctx)
  const remote = remoteRuns(ctx)
  const all = watching(ctx)
  const reader = new StepReader()
  const left = AbortSignal.any([ctx.draining, signal])
  const waiter = new Waiter(left)
  // Before this watcher is notified of a change, the state that was read is forgotten.
  const unwatch = states.watch(id)
  const unfollow = activeRuns(ctx).follow(id, (change) => waiter.wake(change))
  const unsubscribe = remote.follow(id)
  let view: RunView | undefined
  let shown: string | undefined
  let rightsAt = 0
  let hasBegun = false
  let wasKept: boolean | undefined
  all.watchers += 1
  try {
    while (!left.aborted) {
      const areRightsDue = performance.now() >= rightsAt
      if (waiter.takeStepChange() || areRightsDue) {
        const state = await states.state(id)
        if (state === undefined) return
        if (areRightsDue || state.run.isKept !== wasKept) {
          wasKept = state.run.isKept
          rightsAt = performance.now() + Math.max(RIGHTS_MS, all.watchers * RIGHTS_MS_A_WATCHER)
          const viewer = await findViewer()
          view = viewer === null ? undefined : await findRunView(ctx, { user: viewer, run: state.run })
        }
        if (view === undefined) return
        if (view.access === 'presence' && hasBegun) {
          // It has used something private since this stream began: no event and no end tells of that (D68).
          await waiter.wait(rightsAt - performance.now())
          continue
        }
        hasBegun = true
        const seen = toState(ctx, { state, view })
        if (seen.sight === 'presence') {
          yield { event: 'state', data: seen }
          yield { event: 'end', data: { status: seen.status } }
          return
        }
        if (seen.status !== 'running') await remote.lastWords(id)
        // Text written before this state is sent before it, except to a new watcher.
        if (shown !== undefined && view.access === 'own') yield* deltas(ctx, { reader, id })
        const text = JSON.stringify(seen)
        if (text !== shown) yield { event: 'state', data: seen }
        shown = text
        if (seen.status !== 'running') {
          yield { event: 'end', data: { status: seen.status } }
          return
        }
      }
      if (view?.access === 'own') yield* deltas(ctx, { reader, id })
      await waiter.wait(rightsAt - performance.now())
    }
  } finally {
    all.watchers -= 1
    unsubscribe()
    unfollow()
    unwatch()
    waiter.close()
  }
}

function* deltas(
  ctx: Context,
  { reader, id }: { reader: StepReader; id: number },
): Generator<WatchEvent, void> {
  for (const { position, from, text } of reader.pieces(() => remoteRuns(ctx).step(id)))
    yield { event: 'delta', data: { position, from, text } }
}
