import { mostPerOwner } from '../../../platform/limits/fair-semaphore.ts'

/** How many served people are remembered. */
const SERVED_MAX = 256

/** What a worker's choice among the waiting runs goes by. */
export interface ClaimOrder {
  /** People served in this process, the latest last. */
  served: number[]
  /** People at the limit of runs per person. */
  full: number[]
}

/** Capacity for chain runs in one process. No person gets more than three quarters of it. */
export class WorkerCapacity {
  readonly #size: number
  readonly #most: number
  readonly #runs = new Map<number, number>()
  readonly #served = new Set<number>()
  #taken = 0

  constructor(size: number) {
    this.#size = size
    this.#most = mostPerOwner(size)
  }

  get isFull(): boolean {
    return this.#taken >= this.#size
  }

  hasRoomFor(userId: number): boolean {
    return !this.isFull && (this.#runs.get(userId) ?? 0) < this.#most
  }

  get claimOrder(): ClaimOrder {
    const full = [...this.#runs].flatMap(([userId, count]) => (count < this.#most ? [] : [userId]))
    return { served: [...this.#served], full }
  }

  /** Takes a place, if need be one too many; the result gives it back. */
  acquire(userId: number): () => void {
    this.#taken += 1
    this.#runs.set(userId, (this.#runs.get(userId) ?? 0) + 1)
    this.#served.delete(userId)
    this.#served.add(userId)
    const [first] = this.#served
    if (this.#served.size > SERVED_MAX && first !== undefined) this.#served.delete(first)
    return () => {
      this.#taken -= 1
      const left = (this.#runs.get(userId) ?? 1) - 1
      if (left === 0) this.#runs.delete(userId)
      else this.#runs.set(userId, left)
    }
  }
}
