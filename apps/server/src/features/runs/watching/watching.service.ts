import type { SeenRunState, User } from '@catenary/contracts'
import type { Engine } from '../engine/engine.service.ts'
import { StepReader } from '../engine/step-reader.ts'
import { toState } from '../history/operations/read-run.ts'
import { findRunView, type RunView } from '../history/run-access.service.ts'
import type { RunHistoryDeps } from '../history/run-history-deps.ts'
import type { RunStates } from './run-states.service.ts'
import { Waiter } from './waiter.ts'

/** How often each watcher's rights are checked: once a second, or all watchers together a hundred times a second. */
const RIGHTS_MS = 1_000
const RIGHTS_MS_A_WATCHER = 10

export type WatchEvent =
  | { event: 'state'; data: SeenRunState }
  | { event: 'delta'; data: { position: number; from: number; text: string } }
  | { event: 'end'; data: Pick<SeenRunState, 'status'> }

interface Watch {
  id: number
  /** Who watches, for as long as they are signed in. */
  findViewer: () => Promise<User | null>
  /** Aborts when the watcher leaves. */
  signal: AbortSignal
}

interface WatchingDeps {
  engine: Pick<Engine, 'active' | 'remote'>
  history: RunHistoryDeps
  states: RunStates
  /** Aborts once the process is to stop: watchers go elsewhere. */
  draining: AbortSignal
}

export type WatchingService = ReturnType<typeof createWatchingService>

/** Watching runs of any process. */
export function createWatchingService({ engine, history, states, draining }: WatchingDeps) {
  const { active, remote } = engine
  let watchers = 0

  return {
    /**
     * Sends the state, the text so far of the running step, then changes, and `end`. A slow reader gets missed pieces
     * as it reads. People other than the starter get no text of a running step. Ends without `end` when the watcher
     * loses access, or the process stops.
     */
    async *watch({ id, findViewer, signal }: Watch): AsyncGenerator<WatchEvent, void> {
      const reader = new StepReader()
      const left = AbortSignal.any([draining, signal])
      const waiter = new Waiter(left)
      // Before this watcher is notified of a change, the state that was read is forgotten.
      const unwatch = states.watch(id)
      const unfollow = active.follow(id, (change) => waiter.wake(change))
      const unsubscribe = remote.follow(id)
      let view: RunView | undefined
      let shown: string | undefined
      let rightsAt = 0
      let hasBegun = false
      let wasKept: boolean | undefined
      watchers += 1
      try {
        while (!left.aborted) {
          const areRightsDue = performance.now() >= rightsAt
          if (waiter.takeStepChange() || areRightsDue) {
            const state = await states.state(id)
            if (state === undefined) return
            if (areRightsDue || state.run.isKept !== wasKept) {
              wasKept = state.run.isKept
              rightsAt = performance.now() + Math.max(RIGHTS_MS, watchers * RIGHTS_MS_A_WATCHER)
              const viewer = await findViewer()
              view =
                viewer === null ? undefined : await findRunView(history, { user: viewer, run: state.run })
            }
            if (view === undefined) return
            if (view.access === 'presence' && hasBegun) {
              // It took in something private after this stream began: that is not told, by no event and no end (D68).
              await waiter.wait(rightsAt - performance.now())
              continue
            }
            hasBegun = true
            const seen = toState(history, { state, view })
            if (seen.sight === 'presence') {
              yield { event: 'state', data: seen }
              yield { event: 'end', data: { status: seen.status } }
              return
            }
            if (seen.status !== 'running') await remote.lastWords(id)
            // Text written before this state is sent before it, except to a new watcher.
            if (shown !== undefined && view.access === 'own') yield* deltas({ reader, remote, id })
            const text = JSON.stringify(seen)
            if (text !== shown) yield { event: 'state', data: seen }
            shown = text
            if (seen.status !== 'running') {
              yield { event: 'end', data: { status: seen.status } }
              return
            }
          }
          if (view?.access === 'own') yield* deltas({ reader, remote, id })
          await waiter.wait(rightsAt - performance.now())
        }
      } finally {
        watchers -= 1
        unsubscribe()
        unfollow()
        unwatch()
        waiter.close()
      }
    },
  }
}

function* deltas({
  reader,
  remote,
  id,
}: {
  reader: StepReader
  remote: Engine['remote']
  id: number
}): Generator<WatchEvent, void> {
  for (const { position, from, text } of reader.pieces(() => remote.step(id)))
    yield { event: 'delta', data: { position, from, text } }
}
