import { withoutMarks } from '../../lib/text/plain-markdown.ts'

/** How many sentences are kept; earlier ones have been read out. */
const KEPT_SENTENCES = 4

export interface Answer {
  /** What is written of it so far. */
  text: string
  isWriting: boolean
}

/** How far an answer was read, and its latest sentences by their numbers. */
export interface Reading {
  /** The end of the part that was searched for sentence ends. */
  searchedTo: number
  /** Where the incomplete sentence begins. */
  begun: number
  count: number
  kept: readonly { number: number; text: string }[]
}

export const UNREAD: Reading = { searchedTo: 0, begun: 0, count: 0, kept: [] }

/** Reads on from where it stopped: the complete sentences; of an ended run also the last words. */
export function continueReading(reading: Reading, { text, isWriting }: Answer): Reading {
  const from = text.length < reading.searchedTo ? UNREAD : reading
  const isRead = from.searchedTo === text.length && (isWriting || from.begun === text.length)
  if (isRead) return from
  const ends = /(?<=[.!?:…。！？])\s+|\n+/gu
  ends.lastIndex = from.searchedTo
  let { begun, count } = from
  const kept = [...from.kept]
  const keep = (end: number) => {
    const sentence = withoutMarks(text.slice(begun, end)).trim()
    if (/[\p{L}\p{N}]/u.test(sentence)) kept.push({ number: count++, text: sentence })
  }
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    keep(end.index)
    begun = ends.lastIndex
  }
  if (!isWriting) {
    keep(text.length)
    begun = text.length
  }
  return { searchedTo: text.length, begun, count, kept: kept.slice(-KEPT_SENTENCES) }
}
