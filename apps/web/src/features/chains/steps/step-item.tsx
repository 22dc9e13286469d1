import { useSortable } from '@dnd-kit/sortable'
import { matchesShortcut } from '../../../lib/keyboard/shortcuts.ts'
import { cn } from '../../../lib/utils.ts'
import { StepCard } from './step-card.tsx'
import type { StepItemProps, StepListeners } from './step-item-props.ts'
import { StepNumber } from './step-number.tsx'

const SLIDE_MS = 150

export function StepItem(props: StepItemProps) {
  const { step, index, isLast, actions, canEdit, run } = props
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({
      id: step.id,
      transition: prefersStillness() ? null : { duration: SLIDE_MS, easing: 'ease-out' },
    })
  const byMouse: StepListeners = listeners?.onMouseDown && { onMouseDown: listeners.onMouseDown }
  const style = {
    transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined,
    transition,
  }
  return (
    <li
      ref={setNodeRef}
      aria-label={`Step ${index + 1}`}
      style={style}
      data-step-id={step.id}
      onKeyDown={(event) => {
        const isInside = event.target instanceof Node && event.currentTarget.contains(event.target)
        if (!isInside || isField(event.target) || !matchesShortcut({ event, id: 'edit' })) return
        // Otherwise the form that opens would get the letter.
        event.preventDefault()
        actions.open(step)
      }}
      className={cn(
        'relative grid grid-cols-[76px_minmax(0,1fr)] max-md:grid-cols-[38px_minmax(0,1fr)]',
        isDragging && 'z-10',
      )}
    >
      <StepNumber
        step={step}
        index={index}
        isLast={isLast}
        isDragging={isDragging}
        status={run?.state.status}
        handle={canEdit ? { ref: setActivatorNodeRef, attributes, listeners } : null}
      />
      <StepCard {...props} isDragging={isDragging} listeners={byMouse} />
    </li>
  )
}

function isField(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, [role="textbox"]') !== null
}

function prefersStillness(): boolean {
  return globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false
}
