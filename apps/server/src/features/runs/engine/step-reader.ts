import type { ActiveStep } from './active-runs.ts'
import { PIECE_LENGTH } from './live-text.ts'

export interface Piece {
  position: number
  retries: number
  startedAt: number
  from: number
  text: string
}

export class StepReader {
  #step: ActiveStep | undefined
  #read = 0

  next(underWay: ActiveStep | undefined, limit = PIECE_LENGTH): Piece | undefined {
    const rest = this.#take(limit)
    if (rest !== undefined || underWay === undefined || underWay === this.#step) return rest
    this.#step = underWay
    this.#read = 0
    return this.#take(limit)
  }

  *pieces(find: () => ActiveStep | undefined): Generator<Piece, void> {
    for (;;) {
      const piece = this.next(find())
      if (piece === undefined) return
      yield piece
    }
  }

  rewind(
    underWay: ActiveStep,
    { position, retries, from }: Pick<Piece, 'position' | 'retries' | 'from'>,
  ): void {
    const same = underWay.position === position && underWay.retries === retries
    const read = this.#step === underWay ? this.#read : Number.POSITIVE_INFINITY
    this.#step = underWay
    this.#read = Math.min(read, same ? from : 0, underWay.text.value.length)
  }

  #take(limit: number): Piece | undefined {
    if (this.#step === undefined) return undefined
    const { text, position, retries, startedAt } = this.#step
    const from = this.#read
    if (from >= text.value.length) return undefined
    const piece = text.value.slice(from, from + limit)
    this.#read += piece.length
    return { position, retries, startedAt, from, text: piece }
  }
}
