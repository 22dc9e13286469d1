interface Person {
  taken: number
  /** The turn in which they were last given a place; 0: not since they came. */
  servedIn: number
  waiting: Set<() => void>
}

/** The most permits that one owner may hold. */
export const mostOfOne = (size: number): number => size - Math.floor(size / 4)

/** Whose place it is; undefined for the program itself. */
export type SlotOwner = number | undefined

/**
 * Permits that people share: the owner with the fewest gets the next one, then the one served longest ago. One owner
 * holds at most `most`: by default a quarter is reserved for others.
 */
export class FairSlots {
  readonly #size: number
  readonly #most: number
  readonly #people = new Map<SlotOwner, Person>()
  #taken = 0
  #turn = 0

  constructor(size: number, most = mostOfOne(size)) {
    this.#size = size
    this.#most = most
  }

  /** Resolves once there is a place, with the way to give it back; undefined where the signal aborted before. */
  async take(owner: SlotOwner, signal?: AbortSignal): Promise<(() => void) | undefined> {
    const person = this.#people.get(owner) ?? { taken: 0, servedIn: 0, waiting: new Set() }
    this.#people.set(owner, person)
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
  #wait({ waiting }: Person, signal: AbortSignal | undefined): Promise<boolean> {
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

  #give(person: Person): void {
    this.#turn += 1
    this.#taken += 1
    person.taken += 1
    person.servedIn = this.#turn
  }

  #giveNext(): void {
    const waiting = [...this.#people.values()].filter(
      ({ waiting, taken }) => waiting.size > 0 && taken < this.#most,
    )
    const [next] = waiting.sort((a, b) => a.taken - b.taken || a.servedIn - b.servedIn)
    const [enter] = next?.waiting ?? []
    if (next === undefined || enter === undefined) return
    this.#give(next)
    enter()
  }

  #forget(owner: SlotOwner, { taken, waiting }: Person): void {
    if (taken === 0 && waiting.size === 0) this.#people.delete(owner)
  }
}
