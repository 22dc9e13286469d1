import type { AttemptResult } from './model-types.ts'

export class AttemptFailure extends Error {
  readonly result: AttemptResult

  constructor({ cause, result }: { cause: unknown; result: AttemptResult }) {
    super('The attempt failed', { cause })
    this.result = result
  }

  /** Both counts are known: one alone would pass for the whole. */
  get isCounted(): boolean {
    return this.result.inputTokens !== null && this.result.outputTokens !== null
  }
}
