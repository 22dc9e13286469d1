import { ChevronRightIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../../lib/utils.ts'
import { Button } from '../ui/button.tsx'
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from '../ui/collapsible.tsx'

export interface FoldProps {
  label: ReactNode
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  className?: string
  children: ReactNode
}

/** What is rarely needed of a form, under a line. It stays in the form while closed, so that a refused field can be found. */
export function Fold({ label, isOpen, onOpenChange, className, children }: FoldProps) {
  return (
    <Collapsible
      open={isOpen}
      onOpenChange={onOpenChange}
      className={cn('grid grid-cols-[minmax(0,1fr)] gap-3', className)}
    >
      <CollapsibleTrigger asChild>
        <Button
          variant="ghost"
          size="sm"
          className="-ml-1.5 max-w-full min-w-0 shrink justify-self-start px-1.5"
        >
          <ChevronRightIcon className={isOpen ? 'rotate-90' : ''} />
          {label}
        </Button>
      </CollapsibleTrigger>
      <CollapsibleContent
        forceMount
        className="grid grid-cols-[minmax(0,1fr)] gap-4 data-[state=closed]:hidden"
      >
        {children}
      </CollapsibleContent>
    </Collapsible>
  )
}
