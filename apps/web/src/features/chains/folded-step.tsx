import type { ReactNode } from 'react'
import { FoldArrow } from '../../components/fold-arrow.tsx'
import { useFold } from '../../lib/use-fold.ts'
import { cn } from '../../lib/utils.ts'

export interface FoldedStepProps {
  head: ReactNode
  isOpenAtFirst?: boolean
  /** Within the entry of a run. */
  isNested?: boolean
  children: ReactNode
}

/** A step that has run, or of two that are compared: what it is in one line, which opens. */
export function FoldedStep({ head, isOpenAtFirst = false, isNested = false, children }: FoldedStepProps) {
  const { isOpen, button, panel } = useFold(isOpenAtFirst)
  const Heading = isNested ? 'h4' : 'h3'
  return (
    <li
      className={cn(
        'min-w-0 overflow-hidden border border-line bg-surface',
        isNested ? 'rounded-control' : 'rounded-card',
      )}
    >
      <Heading className="flex font-normal">
        <button
          type="button"
          {...button}
          className={cn(
            'flex w-full min-w-0 items-center gap-x-2 gap-y-1 text-left text-sm tracking-normal outline-offset-[-3px] hover:bg-hover/50 pointer-coarse:min-h-11',
            isNested ? 'min-h-9 px-2.5 py-1' : 'min-h-10 flex-wrap px-3 py-1.5',
          )}
        >
          <FoldArrow isOpen={isOpen} className="size-4" />
          {head}
        </button>
      </Heading>
      <div {...panel}>{isOpen && children}</div>
    </li>
  )
}
