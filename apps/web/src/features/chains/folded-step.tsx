import { ChevronRightIcon } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { cn } from '../../lib/utils.ts'

export interface FoldedStepProps {
  head: ReactNode
  isOpenAtFirst?: boolean
  children: ReactNode
}

/** A step of two that are compared: what it is in one line, which opens. */
export function FoldedStep({ head, isOpenAtFirst = false, children }: FoldedStepProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const panelId = useId()
  return (
    <li className="min-w-0 overflow-hidden rounded-card border border-line bg-surface">
      <h3 className="flex font-normal">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-10 w-full min-w-0 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5 text-left text-sm tracking-normal outline-offset-[-3px] hover:bg-hover/50 pointer-coarse:min-h-11"
        >
          <ChevronRightIcon className={cn('size-4 shrink-0 text-text-3', isOpen && 'rotate-90')} />
          {head}
        </button>
      </h3>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </li>
  )
}
