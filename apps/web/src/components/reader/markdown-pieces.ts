/** A longer text is rendered in pieces of at least so many characters, so that none of them holds up the page. */
const PIECE_MIN = 6_000

/** A link or a footnote that is explained elsewhere in the text. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m
const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** After an empty line these begin a part of their own: a heading, or a paragraph that is in no list. */
const BEGINNING = /^(#{1,6} |\*\*|\p{L})/u

/** A text with Markdown in pieces that mean the same alone; while it grows, those before the last stay as they are. */
export function markdownPieces(text: string): string[] {
  if (text.length < 2 * PIECE_MIN || DEFINITION.test(text)) return [text]
  const pieces: string[] = []
  let fence: string | undefined
  let isAfterEmpty = false
  let [start, at] = [0, 0]
  for (const line of text.split('\n')) {
    const isBeginning = fence === undefined && isAfterEmpty && BEGINNING.test(line)
    if (isBeginning && at - start >= PIECE_MIN) {
      pieces.push(text.slice(start, at))
      start = at
    }
    const mark = FENCE.exec(line)?.[1]
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence)) fence = undefined
    isAfterEmpty = line.trim() === ''
    at += line.length + 1
  }
  return [...pieces, text.slice(start)]
}
