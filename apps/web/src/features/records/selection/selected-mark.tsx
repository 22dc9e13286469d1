import { CheckIcon } from 'lucide-react'
import { cn } from '../../../lib/utils.ts'

/** Decoration: the link of what is chosen says that it is. */
export function SelectedMark({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'absolute top-0 left-0 grid size-4 place-items-center bg-accent text-on-accent',
        className,
      )}
    >
      <CheckIcon className="size-3" strokeWidth={3} />
    </span>
  )
}
