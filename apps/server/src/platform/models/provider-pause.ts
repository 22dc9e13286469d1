import { FairSemaphore } from '../../limits/fair-semaphore.ts'
import type { LimitWait } from './model-types.ts'
import type { Clock, Countdown } from './retry.ts'

const WAITING = 200
/** A provider that asks for longer is asked again after so long, by one call. */
const ASK_AGAIN_MS = 600_000
/** The first call after a pause counts as let in once it was not refused for so long. */
const LET_IN_MS = 2_000
const APART_MS = 50

export class StillRefusing extends Error {
  readonly status: number
  /** Milliseconds until it may be asked again; 0 where it may be, and too many wait for it. */
  readonly leftMs: number

  constructor({ status, leftMs }: { status: number; leftMs: number }) {
    super('The provider still refuses')
    this.status = status
    this.leftMs = leftMs
  }
}

/** A call that goes on after a pause; whichever of both comes first lets the next one go. */
export interface Turn {
  letIn(): void
  end(): void
}

interface Entering {
  userId: number | undefined
  signal: AbortSignal | undefined
  mostMs: number
  onWait: (wait: Omit<LimitWait, 'vendor'> | undefined) => void
}

interface Waiting extends Pick<Entering, 'onWait'> {
  deadline: number
  giveUp: AbortController
}

interface PauseOptions {
  clock: Clock
  closing: AbortSignal
  onOver: () => void
}

/**
 * A provider that asked to be left alone for a time. Calls wait for its end; then one of them asks, and the others
 * follow one by one as soon as that one is let in.
 */
export class ProviderPause {
  readonly #options: PauseOptions
  readonly #gate = new FairSemaphore<number | undefined>(1, {
    order: 'roundRobin',
    queue: { most: WAITING, toRefusal: () => this.#refusal() },
  })
  readonly #waiting = new Set<Waiting>()
  #status = 429
  /** When the provider is free as it says, and when it is asked again; as `Clock.now()`. */
  #until = 0
  #askAt = 0
  #isPaused = false
  #isOpen = false
  /** The gate's permit, as long as no call may have it. */
  #kept: (() => void) | undefined
  #isTaken = false
  #isSleeping = false

  constructor(options: PauseOptions) {
    this.#options = options
  }

  /** The provider refused, and asks to be left alone for so long. Calls that can't wait until then end at once. */
  begin({ status, ms }: { status: number; ms: number }): void {
    const now = this.#options.clock.now()
    this.#until = this.#isPaused ? Math.max(this.#until, now + ms) : now + ms
    this.#askAt = Math.min(this.#until, now + ASK_AGAIN_MS)
    this.#status = status
    this.#isPaused = true
    this.#isOpen = false
    for (const { deadline, giveUp, onWait } of this.#waiting) {
      if (this.#until > deadline) giveUp.abort()
      else onWait(this.#describe())
    }
    if (this.#isTaken) return
    this.#isTaken = true
    // Where it can't have the permit yet, the call that has it leaves it to the pause.
    void this.#gate.acquire(undefined).then(
      (release) => release && this.#passOn(release),
      () => undefined,
    )
  }

  isFree(): boolean {
    if (this.#waiting.size > 0) return false
    return this.#isPaused ? this.#options.clock.now() >= this.#askAt : !this.#isTaken
  }

  /** Resolves once the call may go on; with undefined where its signal aborted before, or the program ends. Throws `StillRefusing`. */
  async enter({ userId, signal, mostMs, onWait }: Entering): Promise<Turn | undefined> {
    const { clock, closing } = this.#options
    const now = clock.now()
    const isFree = this.isFree()
    const deadline = now + mostMs
    if (!isFree && (mostMs <= 0 || (this.#isPaused && this.#until > deadline))) throw this.#refusal()
    const giveUp = new AbortController()
    const waiting: Waiting = { deadline, giveUp, onWait }
    this.#waiting.add(waiting)
    const countdown = isFree ? undefined : clock.countDown({ ms: mostMs, onEnd: () => giveUp.abort() })
    if (!isFree) onWait(this.#describe())
    else if (this.#isPaused) this.#open()
    this.#sleep()
    try {
      const ends = [closing, giveUp.signal, ...(signal === undefined ? [] : [signal])]
      const release = await this.#gate.acquire(userId, AbortSignal.any(ends))
      if (release !== undefined) return this.#toTurn(release)
      if (signal?.aborted || closing.aborted) return undefined
      throw this.#refusal()
    } finally {
      this.#waiting.delete(waiting)
      countdown?.cancel()
      if (!isFree) onWait(undefined)
    }
  }

  #toTurn(release: () => void): Turn {
    const { clock } = this.#options
    let countdown: Countdown
    let hasEnded = false
    const end = () => {
      if (hasEnded) return
      hasEnded = true
      countdown.cancel()
      this.#passOn(release)
    }
    const passOnSoon = () => clock.countDown({ ms: APART_MS, onEnd: end })
    const letIn = () => {
      if (hasEnded || this.#isOpen || this.#isPaused) return
      this.#isOpen = true
      countdown.cancel()
      countdown = passOnSoon()
    }
    this.#isTaken = true
    countdown = this.#isOpen ? passOnSoon() : clock.countDown({ ms: LET_IN_MS, onEnd: letIn })
    return { letIn, end }
  }

  #passOn(release: () => void): void {
    if (this.#isPaused) {
      this.#kept = release
      this.#sleep()
      return
    }
    this.#isTaken = false
    release()
    if (this.#waiting.size === 0) this.#options.onOver()
  }

  #sleep(): void {
    if (this.#isSleeping || this.#kept === undefined || this.#waiting.size === 0) return
    this.#isSleeping = true
    const { clock, closing } = this.#options
    const askAt = this.#askAt
    const wake = () => {
      this.#isSleeping = false
      if (askAt === this.#askAt) this.#open()
      else this.#sleep()
    }
    clock
      .sleep({ ms: Math.max(0, Math.ceil(askAt - clock.now())), signal: closing })
      .then(wake, () => undefined)
  }

  #open(): void {
    this.#isPaused = false
    const release = this.#kept
    this.#kept = undefined
    if (release !== undefined) this.#passOn(release)
  }

  #leftMs(): number {
    return this.#isPaused ? Math.max(0, this.#until - this.#options.clock.now()) : 0
  }

  #refusal(): StillRefusing {
    return new StillRefusing({ status: this.#status, leftMs: this.#leftMs() })
  }

  #describe(): Omit<LimitWait, 'vendor'> {
    return { isOverload: this.#status !== 429, until: new Date(Date.now() + this.#leftMs()) }
  }
}

export type ProviderPauses = ReturnType<typeof createProviderPauses>

export function createProviderPauses({ clock }: { clock: Clock }) {
  const closing = new AbortController()
  const pauses = new Map<string, ProviderPause>()

  return {
    find: (key: string): ProviderPause | undefined => pauses.get(key),

    begin(key: string, refusal: { status: number; ms: number }): void {
      const pause =
        pauses.get(key) ??
        new ProviderPause({ clock, closing: closing.signal, onOver: () => void pauses.delete(key) })
      pauses.set(key, pause)
      pause.begin(refusal)
    },

    close: () => closing.abort(),
  }
}
