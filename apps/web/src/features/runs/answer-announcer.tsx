import { useDeferredValue, useState } from 'react'
import { withoutMarks } from '../../lib/text/plain-markdown.ts'

/** How many sentences are kept; earlier ones have been read out. */
const KEPT_SENTENCES = 4
const UNREAD: Reading = { searchedTo: 0, begun: 0, count: 0, kept: [] }

export interface AnswerAnnouncerProps extends Answer {
  ending?: string
  isAnnounced?: boolean
}

/** Tells assistive technology what is being written, a sentence at a time, and how it ended. Takes a key an answer. */
export function AnswerAnnouncer({ text, isWriting, ending, isAnnounced = false }: AnswerAnnouncerProps) {
  const status = isWriting ? (isAnnounced ? '' : 'Writing the answer.') : ending
  const [earlier, setEarlier] = useState(UNREAD)
  const reading = continueReading(earlier, { text, isWriting })
  if (reading !== earlier) setEarlier(reading)
  const kept = useDeferredValue(reading.kept)
  return (
    <div aria-live="polite" aria-relevant="additions" className="sr-only">
      {kept.map(({ number, text }) => (
        <p key={number}>{text}</p>
      ))}
      <p key={status}>{status}</p>
    </div>
  )
}

interface Answer {
  text: string
  isWriting: boolean
}

interface Reading {
  searchedTo: number
  begun: number
  count: number
  kept: readonly { number: number; text: string }[]
}

/** Reads on from where it stopped: the complete sentences; of an ended run also the last words. */
function continueReading(reading: Reading, { text, isWriting }: Answer): Reading {
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
