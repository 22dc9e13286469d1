import type { ChainStep, StepStatus } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import type { useSortable } from '@dnd-kit/sortable'
import { GripVerticalIcon } from 'lucide-react'
import { cn } from '../../../lib/utils.ts'

type Sortable = ReturnType<typeof useSortable>

export interface StepNumberProps {
  step: ChainStep
  index: number
  isLast: boolean
  isDragging: boolean
  status: StepStatus | undefined
  handle: {
    ref: Sortable['setActivatorNodeRef']
    attributes: Sortable['attributes']
    listeners: Sortable['listeners']
  } | null
}

const COLOURS: Record<StepStatus | 'none', string> = {
  none: 'border-line-strong bg-surface text-text-2',
  waiting: 'border-line-strong bg-surface text-text-3',
  running: 'border-accent bg-accent text-on-accent',
  completed: 'border-ok bg-ok-soft text-ok',
  failed: 'border-danger bg-danger-soft text-danger',
  cancelled: 'border-line-strong bg-surface text-text-3',
  asking: 'border-warn bg-warn-soft text-warn',
  unsure: 'border-warn bg-warn-soft text-warn',
  skipped: 'border-dashed border-line-strong bg-surface text-text-3',
}
const circle = 'grid size-6 place-items-center rounded-full border-[1.5px] text-xs font-semibold'
const place =
  'absolute top-2.5 right-[17px] grid size-6 place-items-center max-md:right-2.5 pointer-coarse:top-2 pointer-coarse:right-[7px] pointer-coarse:size-11 pointer-coarse:max-md:right-0'

export function StepNumber({ step, index, isLast, isDragging, status, handle }: StepNumberProps) {
  const colours = COLOURS[status ?? 'none']
  return (
    <div className="relative">
      {!isLast && !isDragging && (
        <span
          aria-hidden="true"
          className={cn(
            'absolute top-[34px] right-[28px] -bottom-[22px] w-[1.5px] max-md:right-[21px] pointer-coarse:top-[42px] pointer-coarse:-bottom-[30px]',
            status === 'completed' || status === 'skipped' ? 'bg-ok' : 'bg-line',
          )}
        />
      )}
      {handle ? (
        <button
          type="button"
          ref={handle.ref}
          {...handle.attributes}
          {...handle.listeners}
          aria-label={`Move step ${index + 1}: ${stepTitle(step)}`}
          title="Drag to reorder"
          data-step-number
          className={cn(
            place,
            'group/grip cursor-grab touch-none rounded-full after:absolute after:-inset-0.5 active:cursor-grabbing',
          )}
        >
          <span className={cn(circle, colours)}>
            <span className="group-hover/grip:hidden group-focus-visible/grip:hidden">{index + 1}</span>
            <GripVerticalIcon
              aria-hidden="true"
              className="hidden size-3.5 group-hover/grip:block group-focus-visible/grip:block"
            />
          </span>
        </button>
      ) : (
        <span data-step-number className={place}>
          <span className={cn(circle, colours)}>{index + 1}</span>
        </span>
      )}
    </div>
  )
}
