import type { LimitWait } from '../../../platform/models/model-types.ts'

/** In characters: the most that waits for a slow reader. */
export const PIECE_LENGTH = 16_384

export function* piecesOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length; from += PIECE_LENGTH) yield text.slice(from, from + PIECE_LENGTH)
}

type Change = { text: string } | { waitsFor: LimitWait | undefined }

/** A text that grows while any number of readers follow it; what a slow reader has not read waits in the text alone. */
export class LiveText {
  #text = ''
  #ended = false
  #waitsFor: LimitWait | undefined
  #changed = Promise.withResolvers<void>()

  get value(): string {
    return this.#text
  }

  get waitsFor(): LimitWait | undefined {
    return this.#waitsFor
  }

  wait(wait: LimitWait | undefined): void {
    this.#waitsFor = wait
    this.#wake()
  }

  append(piece: string): void {
    this.#text += piece
    this.#wake()
  }

  end(): void {
    this.#ended = true
    this.#wake()
  }

  async *read(): AsyncGenerator<string, void> {
    for await (const change of this.follow()) if ('text' in change) yield change.text
  }

  async *follow(): AsyncGenerator<Change, void> {
    let sent = 0
    let told: LimitWait | undefined
    for (;;) {
      const changed = this.#changed.promise
      if (told !== this.#waitsFor) {
        told = this.#waitsFor
        yield { waitsFor: told }
      } else if (sent < this.#text.length) {
        const text = this.#text.slice(sent, sent + PIECE_LENGTH)
        sent += text.length
        yield { text }
      } else if (this.#ended) return
      else await changed
    }
  }

  #wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers<void>()
  }
}

export function toWaitView(wait: LimitWait | undefined) {
  return wait && { ...wait, until: wait.until.toISOString() }
}
