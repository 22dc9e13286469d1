import { isOutage } from '../../../../database-failure.ts'

/**
 * After an outage, and after its own start, a process leaves expired leases alone for a while: the processes that have
 * these runs may live, and extend their leases first.
 */
export class OwnersFirst {
  readonly #waitMs: number
  #isBehind = false
  #until: number

  constructor({ waitMs }: { waitMs: number }) {
    this.#waitMs = waitMs
    this.#until = performance.now() + waitMs
  }

  /** The database could not be reached: other processes may take what goes on here. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** Whether runs whose lease ran out may be claimed or ended here. */
  get mayTakeOver(): boolean {
    return !this.#isBehind && performance.now() >= this.#until
  }

  fallBehind(): void {
    this.#isBehind = true
  }

  noteFailure(error: unknown): void {
    if (isOutage(error)) this.fallBehind()
  }

  /** The leases of this process are extended. */
  catchUp(): void {
    if (!this.#isBehind) return
    this.#isBehind = false
    this.#until = performance.now() + this.#waitMs
  }
}
