interface Owner {
  taken: number
  /** The round in which they last got a permit; 0: not yet. */
  servedIn: number
  waiting: Set<() => void>
}

/** The most permits that one owner may hold. */
export const mostPerOwner = (size: number): number => size - Math.floor(size / 4)

/** Whose place it is; undefined for the program itself. */
export type PermitOwner = number | undefined

/**
 * Permits that people share: the owner with the fewest gets the next one, then the one served longest ago. One owner
 * holds at most `most`: by default a quarter is reserved for others.
 */
export class FairSemaphore {
  readonly #size: number
  readonly #most: number
  readonly #owners = new Map<PermitOwner, Owner>()
  #taken = 0
  #round = 0

  constructor(size: number, most = mostPerOwner(size)) {
    this.#size = size
    this.#most = most
  }

  /** Resolves once there is a place, with the way to give it back; undefined where the signal aborted before. */
  async acquire(owner: PermitOwner, signal?: AbortSignal): Promise<(() => void) | undefined> {
    const person = this.#owners.get(owner) ?? { taken: 0, servedIn: 0, waiting: new Set() }
    this.#owners.set(owner, person)
    if (this.#taken < this.#size && person.taken < this.#most) this.#give(person)
    else if (!(await this.#wait(person, signal))) {
      this.#forget(owner, person)
      return undefined
    }
    return () => {
      this.#taken -= 1
      person.taken -= 1
      this.#giveNext()
      this.#forget(owner, person)
    }
  }

  /** Whether a place was given before the signal aborted. */
  #wait({ waiting }: Owner, signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const leave = () => {
        waiting.delete(enter)
        resolve(false)
      }
      const enter = () => {
        signal?.removeEventListener('abort', leave)
        waiting.delete(enter)
        resolve(true)
      }
      signal?.addEventListener('abort', leave, { once: true })
      waiting.add(enter)
    })
  }

  #give(person: Owner): void {
    this.#round += 1
    this.#taken += 1
    person.taken += 1
    person.servedIn = this.#round
  }

  #giveNext(): void {
    const waiting = [...this.#owners.values()].filter(
      ({ waiting, taken }) => waiting.size > 0 && taken < this.#most,
    )
    const [next] = waiting.sort((a, b) => a.taken - b.taken || a.servedIn - b.servedIn)
    const [enter] = next?.waiting ?? []
    if (next === undefined || enter === undefined) return
    this.#give(next)
    enter()
  }

  #forget(owner: PermitOwner, { taken, waiting }: Owner): void {
    if (taken === 0 && waiting.size === 0) this.#owners.delete(owner)
  }
}
