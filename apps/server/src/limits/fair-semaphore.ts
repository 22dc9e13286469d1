import { QueuePlace } from './queue-place.ts'

interface Owner {
  taken: number
  /** The round in which they last got a permit; 0: not yet. */
  servedIn: number
  /** The round in which they joined those who wait, or went behind them. */
  waitsSince: number
  waiting: Set<QueuePlace>
}

export const mostPerOwner = (size: number): number => size - Math.floor(size / 4)

const ORDERS = {
  /** Who holds the fewest, then who was served longest ago. */
  fewest: (a: Owner, b: Owner) => a.taken - b.taken || a.servedIn - b.servedIn,
  roundRobin: (a: Owner, b: Owner) => a.waitsSince - b.waitsSince,
}

interface Policy {
  /** The permits of one owner; by default a quarter of all is reserved for others. */
  most?: number
  order?: keyof typeof ORDERS
  queue?: { most: number; limitMs?: number; toRefusal: () => Error }
}

/** Permits that people share; an owner is a person, an address, or undefined for the program itself. */
export class FairSemaphore<Key = number | undefined> {
  readonly #size: () => number
  readonly #most: () => number
  readonly #compare: (a: Owner, b: Owner) => number
  readonly #queue: Policy['queue']
  readonly #owners = new Map<Key, Owner>()
  #taken = 0
  #waiting = 0
  #round = 0

  /** The size may change: with permits given back, those who wait get what there is then. */
  constructor(size: number | (() => number), { most, order = 'fewest', queue }: Policy = {}) {
    const sizeNow = typeof size === 'number' ? () => size : size
    this.#size = sizeNow
    this.#most = () => most ?? mostPerOwner(sizeNow())
    this.#compare = ORDERS[order]
    this.#queue = queue
  }

  /**
   * Resolves once there is a permit, with the way to give it back; undefined where the signal aborted before. Rejects
   * with the queue's refusal where too many wait, or it took too long: beyond the most, the last of the owner with the
   * most waiting makes room for an owner with fewer.
   */
  async acquire(key: Key, signal?: AbortSignal): Promise<(() => void) | undefined> {
    const owner = this.#owners.get(key) ?? { taken: 0, servedIn: 0, waitsSince: 0, waiting: new Set() }
    this.#owners.set(key, owner)
    if (this.#taken < this.#size() && owner.taken < this.#most()) this.#give(owner)
    else {
      try {
        await this.#wait(owner, signal)
      } catch (error) {
        this.#forget(key, owner)
        if (signal?.aborted === true) return undefined
        throw error
      }
    }
    return () => {
      this.#taken -= 1
      owner.taken -= 1
      this.#giveAll()
      this.#forget(key, owner)
    }
  }

  async run<T>(key: Key, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(key, signal)
    if (release === undefined) throw signal?.reason
    try {
      return await work()
    } finally {
      release()
    }
  }

  async #wait(owner: Owner, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    this.#makeRoom(owner)
    const place = new QueuePlace({
      ...this.#queue,
      signal,
      onGivenUp: () => this.#leave(owner, place),
    })
    if (owner.waiting.size === 0) owner.waitsSince = this.#nextRound()
    owner.waiting.add(place)
    this.#waiting += 1
    await place.granted
  }

  /** The longest queue loses its last place, unless it is this owner's. */
  #makeRoom({ waiting }: Owner): void {
    if (this.#queue === undefined || this.#waiting < this.#queue.most) return
    const longest = [...this.#owners.values()].reduce((a, b) => (b.waiting.size > a.waiting.size ? b : a))
    const last = [...longest.waiting].at(-1)
    if (last === undefined || longest.waiting.size <= waiting.size + 1) throw this.#queue.toRefusal()
    this.#leave(longest, last)
    last.refuse(this.#queue.toRefusal())
  }

  #leave({ waiting }: Owner, place: QueuePlace): void {
    if (waiting.delete(place)) this.#waiting -= 1
  }

  #nextRound(): number {
    this.#round += 1
    return this.#round
  }

  #give(owner: Owner): void {
    this.#taken += 1
    owner.taken += 1
    owner.servedIn = this.#nextRound()
  }

  #giveAll(): void {
    let hasGiven = true
    while (hasGiven && this.#taken < this.#size()) hasGiven = this.#giveNext()
  }

  #giveNext(): boolean {
    const most = this.#most()
    const waiting = [...this.#owners.values()].filter(
      ({ waiting, taken }) => waiting.size > 0 && taken < most,
    )
    const [next] = waiting.sort(this.#compare)
    const [place] = next?.waiting ?? []
    if (next === undefined || place === undefined) return false
    this.#give(next)
    this.#leave(next, place)
    next.waitsSince = this.#nextRound()
    place.start()
    return true
  }

  #forget(key: Key, { taken, waiting }: Owner): void {
    if (taken === 0 && waiting.size === 0) this.#owners.delete(key)
  }
}
