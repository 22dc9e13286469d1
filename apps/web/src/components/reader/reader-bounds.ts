export const TEXT_MAX = 500_000
export const CODE_MAX = 100_000
export const PARTS_MAX = 20_000
export const DEPTH_MAX = 100
/** Emphasis and links within each other, which a browser's parser would repeat in every block. */
export const EMPHASIS_MAX = 10
/** Letters without a space: browsers take time with the square of them to break them into lines. */
const WORD_MAX = 1_000

export class TooMuchError extends Error {
  constructor() {
    super('It is too large to show on a page.')
    this.name = 'TooMuchError'
  }
}

export function checkWords(text: string): void {
  if (text.split(/\s+/).some((word) => word.length > WORD_MAX)) throw new TooMuchError()
}
