import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'

/** Holds the place of what is loading; shows itself only after 150 ms. */
export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div aria-hidden="true" className={cn('animate-late rounded-[6px] bg-hover', className)} {...props} />
  )
}
