/** Texts are drawn this often while they are written; each piece by itself would cost more than it shows. */
const DRAW_MS = 60

interface Piece {
  position: number
  from: number
  text: string
}

export class ChainRunTexts {
  readonly #texts = new Map<number, string>()
  readonly #readers = new Map<number, Set<() => void>>()
  readonly #changed = new Set<number>()
  #timer: ReturnType<typeof setTimeout> | undefined

  read(position: number): string {
    return this.#texts.get(position) ?? ''
  }

  /** False when a piece before this one was missed. */
  write({ position, from, text }: Piece): boolean {
    const before = this.read(position)
    if (from > before.length) return false
    this.#texts.set(position, before.slice(0, from) + text)
    this.#changed.add(position)
    this.#timer ??= setTimeout(this.#draw, DRAW_MS)
    return true
  }

  clear(): void {
    for (const position of this.#texts.keys()) this.#changed.add(position)
    this.#texts.clear()
    this.#timer ??= setTimeout(this.#draw, DRAW_MS)
  }

  subscribe(position: number, reader: () => void): () => void {
    const readers = this.#readers.get(position) ?? new Set()
    this.#readers.set(position, readers.add(reader))
    return () => readers.delete(reader)
  }

  readonly #draw = () => {
    this.#timer = undefined
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const position of changed) for (const reader of this.#readers.get(position) ?? []) reader()
  }
}
