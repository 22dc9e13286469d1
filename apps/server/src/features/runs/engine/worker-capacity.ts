import { mostPerOwner } from '../../../limits/fair-semaphore.ts'
import { PermitCounts } from '../../../limits/permit-counts.ts'

const SERVED_MAX = 256

export interface ClaimOrder {
  served: number[]
  here: [userId: number, count: number][]
  most: number
}

/** Capacity for chain runs in one process. No person gets more than three quarters of it. */
export class WorkerCapacity {
  readonly #size: number
  readonly #most: number
  readonly #runs = new PermitCounts<number>()
  readonly #served = new Set<number>()
  #taken = 0

  constructor(size: number) {
    this.#size = size
    this.#most = mostPerOwner(size)
  }

  get isFull(): boolean {
    return this.free <= 0
  }

  get free(): number {
    return this.#size - this.#taken
  }

  hasRoomFor(userId: number): boolean {
    return !this.isFull && this.#runs.of(userId) < this.#most
  }

  get claimOrder(): ClaimOrder {
    return { served: [...this.#served], here: this.#runs.entries(), most: this.#most }
  }

  get someAreFull(): boolean {
    return this.#runs.entries().some(([, count]) => count >= this.#most)
  }

  /** Takes a place, even beyond the limit; the result releases it. */
  acquire(userId: number): () => void {
    this.#taken += 1
    const release = this.#runs.take(userId)
    this.#served.delete(userId)
    this.#served.add(userId)
    const [first] = this.#served
    if (this.#served.size > SERVED_MAX && first !== undefined) this.#served.delete(first)
    return () => {
      this.#taken -= 1
      release()
    }
  }
}
