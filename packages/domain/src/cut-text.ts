/** Longer signs are nobody's writing. */
const SIGN_MAX = 100

let segmenter: Intl.Segmenter | undefined

/** The beginning of a text, of at most so many UTF-16 units, that ends between two signs as people see them: 👩‍🚀 is one. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  segmenter ??= new Intl.Segmenter('en')
  const start = Math.max(0, max - SIGN_MAX)
  const around = text.slice(start, max + SIGN_MAX).toWellFormed()
  const sign = segmenter.segment(around).containing(max - start)
  const end = start + (sign?.index ?? 0)
  const isLong = end === start && start > 0
  return (isLong ? text.slice(0, max) : text.slice(0, end)).replace(/[\ud800-\udbff]$/, '')
}

export function shortenText(text: string, max: number): string {
  return text.length > max ? `${cutText(text, max)}…` : text
}
