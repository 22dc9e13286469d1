export class Waiter {
  readonly #end: AbortSignal
  #stepChanged = true
  #changed = true
  #resolve: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(end: AbortSignal) {
    this.#end = end
    end.addEventListener('abort', this.#wakeUp)
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
    if (!this.#changed && ms > 0 && !this.#end.aborted) {
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
    this.#end.removeEventListener('abort', this.#wakeUp)
  }

  readonly #wakeUp = (): void => this.#resolve?.()
}
