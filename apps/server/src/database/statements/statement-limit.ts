import { STATEMENT_ENDED } from './long-statements.ts'

class StatementEndedError extends Error {
  readonly code = STATEMENT_ENDED

  constructor() {
    super('canceling statement due to statement timeout')
  }
}

/** Watches the statements of a session from outside: PostgreSQL's own limit needs a signal, which a worker can't have. */
export class StatementLimit {
  isLifted = false
  readonly #limitMs: number
  readonly #onPassed: () => void
  #timer: NodeJS.Timeout | undefined
  #isPassed = false

  constructor({ limitMs, onPassed }: { limitMs: number; onPassed: () => void }) {
    this.#limitMs = limitMs
    this.#onPassed = onPassed
  }

  readonly onSent = () => {
    this.#isPassed = false
    this.#timer ??= setTimeout(() => this.#pass(), this.#limitMs).unref()
    this.#timer.refresh()
  }

  readonly onAnswered = () => {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  readonly reason = (): Error =>
    this.#isPassed ? new StatementEndedError() : new Error('The embedded database has stopped')

  /** For listening sessions, which may wait for another session's transaction. */
  get unwatched() {
    return { onSent: () => {}, onAnswered: () => {}, reason: this.reason }
  }

  #pass() {
    this.#timer = undefined
    if (this.isLifted) return
    this.#isPassed = true
    this.#onPassed()
  }
}
