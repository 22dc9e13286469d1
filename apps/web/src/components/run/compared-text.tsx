import { presentableDiff } from '@codemirror/merge'
import { useMemo } from 'react'

/** Beyond so much work, or time, what differs is told in larger pieces. */
const EFFORT = { scanLimit: 1_000, timeout: 100 }

interface Piece {
  start: number
  text: string
  isOther: boolean
}

/** A text with what the other one does not have tinted. */
export function ComparedText({ text, other }: { text: string; other: string }) {
  const pieces = useMemo(() => piecesOf({ text, other }), [text, other])
  return (
    <pre className="prompt-text wrap-anywhere whitespace-pre-wrap text-text">
      {pieces.map(({ start, text, isOther }) =>
        isOther ? (
          <mark key={start} className="rounded-[3px] bg-accent-soft text-accent-text">
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </pre>
  )
}

function piecesOf({ text, other }: { text: string; other: string }): Piece[] {
  const pieces: Piece[] = []
  const add = (start: number, end: number, isOther: boolean) => {
    if (end > start) pieces.push({ start, text: text.slice(start, end), isOther })
  }
  let at = 0
  for (const { fromB, toB } of presentableDiff(other, text, EFFORT)) {
    add(at, fromB, false)
    add(fromB, toB, true)
    at = toB
  }
  add(at, text.length, false)
  return pieces
}
