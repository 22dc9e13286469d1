import type { ReactNode } from 'react'
import { cn } from '../lib/utils.ts'

export interface EmptyStateProps {
  icon?: ReactNode
  title: string
  description?: ReactNode
  /** What to do next. */
  action?: ReactNode
  className?: string
}

/** Says that there is nothing here, and what to do about it. */
export function EmptyState({ icon, title, description, action, className }: EmptyStateProps) {
  return (
    <div
      className={cn('mx-auto grid max-w-md justify-items-center gap-1.5 px-4 py-16 text-center', className)}
    >
      {icon && (
        <div className="mb-2 grid size-10 place-items-center rounded-card border border-line text-text-3 [&_svg]:size-5">
          {icon}
        </div>
      )}
      <h2 className="text-md font-semibold">{title}</h2>
      {description && <div className="text-sm text-text-2">{description}</div>}
      {action && <div className="mt-3 flex flex-wrap-reverse justify-center gap-2">{action}</div>}
    </div>
  )
}
