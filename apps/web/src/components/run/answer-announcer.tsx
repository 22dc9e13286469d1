import { useDeferredValue } from 'react'
import { withoutMarks } from '../../lib/plain-markdown.ts'

/** So many sentences stay in the live region; earlier ones have been read. */
const KEPT_SENTENCES = 4

export interface Answer {
  /** What is written of it so far. */
  text: string
  isWriting: boolean
}

export interface AnswerAnnouncerProps extends Answer {
  /** How it ended; of an answer that is not begun nothing. */
  ending?: string
  /** Something else has said that it is being written. */
  isAnnounced?: boolean
}

/** Tells assistive technology what is being written, a sentence at a time, and how it ended. Takes a key an answer. */
export function AnswerAnnouncer({ text, isWriting, ending, isAnnounced = false }: AnswerAnnouncerProps) {
  const status = isWriting ? (isAnnounced ? '' : 'Writing the answer.') : ending
  const kept = useDeferredValue(sentencesOf({ text, isWriting }))
    .map((text, number) => ({ number, text }))
    .slice(-KEPT_SENTENCES)
  return (
    <div aria-live="polite" aria-relevant="additions" className="sr-only">
      {kept.map(({ number, text }) => (
        <p key={number}>{text}</p>
      ))}
      <p key={status}>{status}</p>
    </div>
  )
}

/** The sentences that are complete; of an ended run also the last words. */
export function sentencesOf({ text, isWriting }: Answer): string[] {
  const pieces = text.split(/(?<=[.!?:…。！？])\s+|\n+/u)
  const complete = isWriting ? pieces.slice(0, -1) : pieces
  return complete.map((piece) => withoutMarks(piece).trim()).filter((piece) => /[\p{L}\p{N}]/u.test(piece))
}
