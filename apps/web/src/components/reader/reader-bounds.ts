/** A text of more characters is not read at all. */
export const TEXT_MAX = 500_000
/** Code of more characters stays without colours. */
export const CODE_MAX = 100_000
/** What a text is laid out into: elements and stretches of text, and how deep they stand in each other. */
export const PARTS_MAX = 20_000
export const DEPTH_MAX = 100
/** Emphasis and links within each other, which a browser's parser would repeat in every block. */
export const EMPHASIS_MAX = 10
/** Letters without a space: browsers take time with the square of them to break them into lines. */
const WORD_MAX = 1_000

/** A text would come to more than a page can hold. */
export class TooMuchError extends Error {
  constructor() {
    super('It would have more parts than a page can hold.')
    this.name = 'TooMuchError'
  }
}

export function checkWords(text: string): void {
  if (text.split(/\s+/).some((word) => word.length > WORD_MAX)) throw new TooMuchError()
}
