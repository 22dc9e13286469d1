import type { ItemCounts } from '@catenary/contracts'
import { onePerApp } from '../../../platform/context.ts'
import type { LimitWait } from '../../../platform/models/model-types.ts'
import { LiveText } from './live-text.ts'

export type StopReason = 'person' | 'server' | 'lost' | 'disabled'

export class RunStopped extends Error {
  readonly reason: StopReason

  constructor(reason: StopReason) {
    super(`The run was stopped: ${reason}`)
    this.reason = reason
  }
}

export interface ActiveStep {
  position: number
  retries: number
  /** When its first try began, as `Date.now()` of the process where it goes on. */
  startedAt: number
  text: LiveText
  /** Of a step that runs for each item of a list. */
  items?: ItemCounts | undefined
}

type Follower = (change: 'step' | 'text') => void

export class ActiveRun {
  readonly attempt: number
  readonly userId: number
  /** Until then there is no lease to keep. */
  isRecorded = false
  readonly #stop = new AbortController()
  #step: ActiveStep | undefined
  #waitedMs = 0
  #waitsSince: number | undefined
  onChange: Follower | undefined

  constructor({ attempt, userId }: { attempt: number; userId: number }) {
    this.attempt = attempt
    this.userId = userId
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  get step(): ActiveStep | undefined {
    return this.#step
  }

  get text(): string {
    return this.#step?.text.value ?? ''
  }

  get limitWaitMs(): number {
    const now = performance.now()
    return Math.round(this.#waitedMs + now - (this.#waitsSince ?? now))
  }

  begin({ position, retries = 0 }: { position: number; retries?: number }): LiveText {
    const before = this.#step
    const isSame = before?.position === position
    if (!isSame) this.#waitedMs = 0
    if (isSame && before.text.value === '') {
      // Whoever waits for the first word of this try also waits for that of the next.
      before.retries = retries
      this.onChange?.('step')
      return before.text
    }
    before?.text.end()
    const text = new LiveText()
    this.#step = { position, retries, startedAt: isSame ? before.startedAt : Date.now(), text }
    this.onChange?.('step')
    return text
  }

  wait(wait: LimitWait | undefined): void {
    if (this.#step === undefined) return
    this.#waitedMs = this.limitWaitMs
    this.#waitsSince = wait && performance.now()
    this.#step.text.wait(wait)
    this.onChange?.('step')
  }

  append(piece: string): void {
    this.#step?.text.append(piece)
    this.onChange?.('text')
  }

  count(items: ItemCounts): void {
    if (this.#step === undefined) return
    this.#step.items = items
    this.onChange?.('step')
  }

  stop(reason: StopReason): void {
    this.#stop.abort(new RunStopped(reason))
  }

  end(): void {
    this.#step?.text.end()
    this.onChange?.('step')
  }
}

class ActiveRuns {
  readonly #runs = new Map<number, ActiveRun>()
  readonly #followers = new Map<number, Set<Follower>>()

  add(id: number, run: ActiveRun): void {
    this.#runs.set(id, run)
    run.onChange = (change) => this.notify(id, change)
    this.notify(id, 'step')
  }

  delete(id: number, run: ActiveRun): void {
    if (this.#runs.get(id) === run) this.#runs.delete(id)
    run.end()
    run.onChange = undefined
  }

  get(id: number): ActiveRun | undefined {
    return this.#runs.get(id)
  }

  get count(): number {
    return this.#runs.size
  }

  entries(): [id: number, run: ActiveRun][] {
    return [...this.#runs]
  }

  stopOf(userId: number, reason: StopReason): void {
    for (const run of this.#runs.values()) if (run.userId === userId) run.stop(reason)
  }

  /** Calls back at each change of the run; the result ends it. */
  follow(id: number, follower: Follower): () => void {
    const followers = this.#followers.get(id) ?? new Set()
    this.#followers.set(id, followers.add(follower))
    return () => {
      followers.delete(follower)
      if (followers.size === 0) this.#followers.delete(id)
    }
  }

  notify(id: number, change: 'step' | 'text'): void {
    for (const follower of this.#followers.get(id) ?? []) follower(change)
  }
}

export const activeRuns = onePerApp(() => new ActiveRuns())
