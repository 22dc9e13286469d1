export class PermitCounts<Key> {
  readonly #taken = new Map<Key, number>()

  of(key: Key): number {
    return this.#taken.get(key) ?? 0
  }

  entries(): [Key, number][] {
    return [...this.#taken]
  }

  /** One more, whatever the number; the result gives it back, and may be called twice. */
  take(key: Key): () => void {
    this.#taken.set(key, this.of(key) + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = this.of(key) - 1
      if (left === 0) this.#taken.delete(key)
      else this.#taken.set(key, left)
    }
  }
}
