import { useDeferredValue } from 'react'
import type { Run, RunPhase } from './run.ts'

/** So many sentences stay in the live region; earlier ones have been read. */
const KEPT_SENTENCES = 4

const ENDINGS: Record<RunPhase, string> = {
  idle: '',
  writing: 'Writing the answer.',
  done: 'The answer is complete.',
  stopped: 'Stopped.',
  failed: '',
}

/** Tells assistive technology what is being written, a sentence at a time, and how it ended. */
export function AnswerAnnouncer({ run }: { run: Run }) {
  const kept = useDeferredValue(sentencesOf(run))
    .map((text, number) => ({ number, text }))
    .slice(-KEPT_SENTENCES)
  return (
    <div key={run.startedAt} aria-live="polite" aria-relevant="additions" className="sr-only">
      {kept.map(({ number, text }) => (
        <p key={number}>{text}</p>
      ))}
      <p key={run.phase}>{run.failure?.title ?? ENDINGS[run.phase]}</p>
    </div>
  )
}

/** The sentences that are complete; of an ended run also the last words. */
export function sentencesOf({ text, phase }: Pick<Run, 'text' | 'phase'>): string[] {
  const pieces = text.split(/(?<=[.!?:…。！？])\s+|\n+/u)
  const complete = phase === 'writing' ? pieces.slice(0, -1) : pieces
  return complete
    .map((piece) => piece.replace(/[*_`#>]+/g, '').trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
}
