import { RATING_NOTE_MAX, type Rating } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ThumbsDownIcon, ThumbsUpIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { isEnter, isEscape } from '../../../lib/keyboard/pressed.ts'
import { ratingsQuery, useRate } from './rating.queries.ts'

const NONE: Rating = { thumb: null, note: '' }

export interface RunRatingProps {
  executionId: number | null
  isNew?: boolean
}

export function RunRating({ executionId, isNew = false }: RunRatingProps) {
  return executionId === null ? (
    <Controls rating={NONE} />
  ) : (
    <KeptRating key={executionId} executionId={executionId} isNew={isNew} />
  )
}

function KeptRating({ executionId, isNew }: { executionId: number; isNew: boolean }) {
  const { data } = useQuery({
    ...ratingsQuery(executionId),
    ...(isNew && { initialData: { own: null, others: [] } }),
  })
  const { mutate } = useRate(executionId)
  const rating = data?.own ?? NONE
  const rate = (change: Partial<Rating>) => {
    const next = { ...rating, ...change }
    mutate(next.thumb === null && next.note === '' ? null : next)
  }
  return <Controls rating={rating} onRate={data && rate} />
}

interface ControlsProps {
  rating: Rating
  onRate?: ((change: Partial<Rating>) => void) | undefined
}

function Controls({ rating: { thumb, note }, onRate }: ControlsProps) {
  return (
    <div className="flex min-w-0 flex-1 items-center gap-0.5">
      <Thumb
        label="Good answer"
        isOn={thumb === 'up'}
        onPress={(on) => onRate?.({ thumb: on ? 'up' : null })}
        isDisabled={!onRate}
      >
        <ThumbsUpIcon />
      </Thumb>
      <Thumb
        label="Poor answer"
        isOn={thumb === 'down'}
        onPress={(on) => onRate?.({ thumb: on ? 'down' : null })}
        isDisabled={!onRate}
        isBad
      >
        <ThumbsDownIcon />
      </Thumb>
      <NoteField key={note} note={note} onSave={onRate && ((note) => onRate({ note }))} />
    </div>
  )
}

interface ThumbProps {
  label: string
  isOn: boolean
  isBad?: boolean
  isDisabled: boolean
  onPress: (on: boolean) => void
  children: React.ReactNode
}

function Thumb({ label, isOn, isBad = false, isDisabled, onPress, children }: ThumbProps) {
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      disabled={isDisabled}
      onClick={() => onPress(!isOn)}
      className={
        isBad
          ? 'aria-pressed:bg-danger-soft aria-pressed:text-danger'
          : 'aria-pressed:bg-ok-soft aria-pressed:text-ok'
      }
    >
      {children}
    </Button>
  )
}

/** A line that looks like text until it is written in; kept with Enter or when it is left. */
function NoteField({ note, onSave }: { note: string; onSave: ((note: string) => void) | undefined }) {
  const [text, setText] = useState(note)
  const save = () => {
    if (text.trim() !== note) onSave?.(text.trim())
  }
  return (
    <input
      aria-label="Note on the answer"
      placeholder="Add a note"
      value={text}
      title={note}
      disabled={!onSave}
      maxLength={RATING_NOTE_MAX}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (isEscape(event) && text !== note) {
          // It takes back what was typed, and neither stops a run nor closes a dialog.
          event.preventDefault()
          setText(note)
        }
        if (!isEnter(event)) return
        event.preventDefault()
        save()
      }}
      className="field-ring h-7 min-w-0 flex-1 rounded-control border border-transparent bg-transparent px-1.5 text-sm text-ellipsis text-text placeholder:text-text-3 hover:border-line disabled:hover:border-transparent pointer-coarse:h-11"
    />
  )
}
