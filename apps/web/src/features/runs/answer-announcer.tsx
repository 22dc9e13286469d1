import { useDeferredValue, useState } from 'react'
import { type Answer, continueReading, UNREAD } from './read-sentences.ts'

export interface AnswerAnnouncerProps extends Answer {
  /** How it ended; of an answer that is not begun nothing. */
  ending?: string
  /** Something else has said that it is being written. */
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
