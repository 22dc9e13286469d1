import type { ReactNode } from 'react'
import type { GuideTopic } from '../lib/guide-topics.ts'
import { cn } from '../lib/utils.ts'
import { LearnMore } from './learn-more.tsx'

export interface EmptyStateProps {
  icon?: ReactNode
  title: string
  about: GuideTopic
  description?: ReactNode
  action?: ReactNode
  className?: string
}

export function EmptyState({ icon, title, about, description, action, className }: EmptyStateProps) {
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
      <LearnMore about={about} className="mt-2" />
    </div>
  )
}
