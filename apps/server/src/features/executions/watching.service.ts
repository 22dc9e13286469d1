import { setTimeout as delay } from 'node:timers/promises'
import type { ExecutionState } from '@catenary/contracts'
import type { Engine } from './engine.service.ts'
import { StepReader } from './step-reader.ts'

/** How often a run's state and the watcher's rights are looked at, whatever was told. */
const LOOK_MS = 1_000
/** The end is read at once; the last words of a run in another process take a flush. */
const LAST_WORDS_MS = 250

export type WatchEvent =
  | { event: 'state'; data: ExecutionState }
  | { event: 'delta'; data: { position: number; from: number; text: string } }
  | { event: 'end'; data: Pick<ExecutionState, 'status'> }

interface Watch {
  id: number
  /** The state, for as long as the watcher may see it. */
  read: () => Promise<ExecutionState | undefined>
}

export type WatchingService = ReturnType<typeof createWatchingService>

/** Runs as they can be watched, in whichever process they go on. */
export function createWatchingService({ engine }: { engine: Pick<Engine, 'active' | 'remote' | 'closing'> }) {
  const { active, remote, closing } = engine

  return {
    /**
     * The state first, the text so far of the step under way, then what changes, and `end`. A slow reader gets larger
     * pieces. Ends without `end` when the watcher may not see the run any more, or the process stops.
     */
    async *watch({ id, read }: Watch): AsyncGenerator<WatchEvent, void> {
      const reader = new StepReader()
      const waiter = new Waiter(closing)
      const unfollow = active.follow(id, (change) => waiter.wake(change))
      const leave = remote.follow(id)
      let shown: string | undefined
      let lookAt = 0
      try {
        while (!closing.aborted) {
          if (waiter.takeStepChange() || Date.now() >= lookAt) {
            lookAt = Date.now() + LOOK_MS
            const state = await read()
            if (state === undefined) return
            if (state.status !== 'running' && remote.isElsewhere(id)) await delay(LAST_WORDS_MS)
            // What was written before this state goes before it, except to who has seen nothing yet.
            if (shown !== undefined) yield* deltas({ reader, remote, id })
            const text = JSON.stringify(state)
            if (text !== shown) yield { event: 'state', data: state }
            shown = text
            if (state.status !== 'running') {
              yield { event: 'end', data: { status: state.status } }
              return
            }
          }
          yield* deltas({ reader, remote, id })
          await waiter.wait(lookAt - Date.now())
        }
      } finally {
        leave()
        unfollow()
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
  for (;;) {
    const piece = reader.next(remote.step(id))
    if (piece === undefined) return
    const { position, from, text } = piece
    yield { event: 'delta', data: { position, from, text } }
  }
}

/** Sleeps until something changes, the time is over or the process stops. */
class Waiter {
  readonly #closing: AbortSignal
  #stepChanged = true
  #changed = true
  #resolve: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(closing: AbortSignal) {
    this.#closing = closing
    closing.addEventListener('abort', this.#wakeUp)
  }

  wake(change: 'step' | 'text'): void {
    this.#stepChanged ||= change === 'step'
    this.#changed = true
    this.#wakeUp()
  }

  takeStepChange(): boolean {
    const changed = this.#stepChanged
    this.#stepChanged = false
    return changed
  }

  async wait(ms: number): Promise<void> {
    if (!this.#changed && ms > 0 && !this.#closing.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#resolve = resolve
      this.#timer = setTimeout(resolve, ms)
      await promise
    }
    this.#changed = false
    clearTimeout(this.#timer)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#closing.removeEventListener('abort', this.#wakeUp)
  }

  readonly #wakeUp = (): void => this.#resolve?.()
}
