import type { ReactNode } from 'react'
import { cn } from '../lib/utils.ts'

export function Fact({
  name,
  className,
  children,
}: {
  name: string
  className?: string
  children: ReactNode
}) {
  return (
    <div className={cn('min-w-0', className)}>
      <dt className="text-xs text-text-3">{name}</dt>
      <dd className="wrap-anywhere text-text">{children}</dd>
    </div>
  )
}
