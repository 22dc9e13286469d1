import type { ItemCounts, ListedRunStep } from '@catenary/contracts'
import { ChevronDownIcon, RotateCwIcon } from 'lucide-react'
import { useState } from 'react'
import { Time } from '../../../../components/time/time.tsx'
import { Button } from '../../../../components/ui/button.tsx'
import { countText } from '../../../../lib/text/count-text.ts'
import { useFold } from '../../../../lib/use-fold.ts'
import { cn } from '../../../../lib/utils.ts'
import { ItemList } from './item-list.tsx'
import { itemsText } from './items-text.ts'

export interface StepItemsProps {
  runId: number
  /** How far it is. */
  counts: ItemCounts
  position: number
  /** The step as it was last fetched. */
  step: ListedRunStep | undefined
  /** Of the run, as far as they are known. */
  steps: readonly ListedRunStep[]
  isRunning: boolean
  /** Runs those that failed again; undefined: not now, or not by this person. */
  onRetry: (() => void) | undefined
  isRetrying: boolean
  isOpenAtFirst?: boolean
}

/** What became of the items that a step went through: how many, which, and those that failed to be run again. */
export function StepItems({ counts, step, onRetry, isRetrying, isOpenAtFirst, ...items }: StepItemsProps) {
  const { isOpen, button, panel } = useFold(isOpenAtFirst)
  // Another step’s items, or the run itself, may be what is resumed.
  const [isOwn, setIsOwn] = useState(false)
  const isPressed = isOwn && isRetrying
  const retry = () => {
    setIsOwn(true)
    onRetry?.()
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {counts.all > 0 && <ItemBar counts={counts} />}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <p className="min-w-0 flex-1 basis-40 text-sm max-md:basis-full text-text-2">{itemsText(counts)}</p>
        {onRetry && counts.failed > 0 && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Retry ${countText(counts.failed, 'failed item')}`}
            pending={isPressed}
            disabled={isRetrying}
            onClick={retry}
          >
            {!isPressed && <RotateCwIcon />}
            Retry {counts.failed}
          </Button>
        )}
        {counts.all > 0 && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Items of step ${items.position + 1}`}
            {...button}
            className="aria-expanded:bg-hover"
          >
            Items
            <ChevronDownIcon className={cn(isOpen && 'rotate-180')} />
          </Button>
        )}
      </div>
      {step?.retriedAt !== undefined && (
        <p className="text-xs text-text-3">
          Failed items were retried on <Time time={step.retriedAt} />.
          {step.laterStepsKept && ' Later steps that had already ended still use its earlier output.'}
        </p>
      )}
      <div {...panel}>{isOpen && <ItemList counts={counts} step={step} {...items} />}</div>
    </div>
  )
}

const PARTS = [
  ['completed', 'bg-ok'],
  ['skipped', 'bg-line-strong'],
  ['failed', 'bg-danger'],
] as const

/** As many parts as there are outcomes, however many items. */
function ItemBar({ counts }: { counts: ItemCounts }) {
  const rest = counts.all - counts.completed - counts.skipped - counts.failed
  return (
    <div aria-hidden="true" className="flex h-1.5 gap-px overflow-hidden rounded-full">
      {PARTS.map(
        ([name, colour]) =>
          counts[name] > 0 && (
            <span
              key={name}
              style={{ flexGrow: counts[name] }}
              className={cn('min-w-1 shrink basis-0', colour)}
            />
          ),
      )}
      {rest > 0 && <span style={{ flexGrow: rest }} className="min-w-1 shrink basis-0 bg-line" />}
    </div>
  )
}
