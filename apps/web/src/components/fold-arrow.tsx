import { ChevronRightIcon } from 'lucide-react'
import { cn } from '../lib/utils.ts'

export interface FoldArrowProps {
  isOpen: boolean
  className?: string
}

export function FoldArrow({ isOpen, className }: FoldArrowProps) {
  return (
    <ChevronRightIcon
      aria-hidden
      className={cn('size-3.5 shrink-0 text-text-3', isOpen && 'rotate-90', className)}
    />
  )
}
