import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'

export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      aria-hidden="true"
      className={cn('animate-late rounded-[6px] bg-skeleton forced-colors:border', className)}
      {...props}
    />
  )
}
