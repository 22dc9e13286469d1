/** In characters: the most that waits for a slow reader. */
export const PIECE_LENGTH = 16_384

/** A text in the pieces in which it is read. */
export function* piecesOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length; from += PIECE_LENGTH) yield text.slice(from, from + PIECE_LENGTH)
}

/** A text that grows while any number of readers follow it; what a slow reader has not read waits in the text alone. */
export class LiveText {
  #text = ''
  #ended = false
  #changed = Promise.withResolvers<void>()

  get value(): string {
    return this.#text
  }

  append(piece: string): void {
    this.#text += piece
    this.#wake()
  }

  end(): void {
    this.#ended = true
    this.#wake()
  }

  /** Yields all of the text in order, then ends with it. */
  async *read(): AsyncGenerator<string, void> {
    let sent = 0
    for (;;) {
      const changed = this.#changed.promise
      if (sent < this.#text.length) {
        const piece = this.#text.slice(sent, sent + PIECE_LENGTH)
        sent += piece.length
        yield piece
      } else if (this.#ended) return
      else await changed
    }
  }

  #wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers<void>()
  }
}
