import { XIcon } from 'lucide-react'
import { cn } from '../lib/utils.ts'
import { Button } from './ui/button.tsx'

export interface RemoveButtonProps {
  label: string
  onClick: () => void
  className?: string
}

/** Takes an entry out of a list. */
export function RemoveButton({ label, onClick, className }: RemoveButtonProps) {
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      onClick={onClick}
      className={cn('text-text-3', className)}
    >
      <XIcon />
    </Button>
  )
}
