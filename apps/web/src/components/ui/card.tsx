import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'

/** A surface with a hairline. */
export function Card({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      className={cn('flex flex-col rounded-card border border-line bg-surface p-3.5', className)}
      {...props}
    />
  )
}

/** First row: title and what belongs to its right. */
export function CardHeader({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('flex items-center justify-between gap-3', className)} {...props} />
}

/** The card's name. */
export function CardTitle({ className, ...props }: ComponentProps<'h3'>) {
  return <h3 className={cn('truncate text-md font-[570] tracking-[-0.01em]', className)} {...props} />
}

/** A quiet line below the title. */
export function CardDescription({ className, ...props }: ComponentProps<'p'>) {
  return <p className={cn('text-sm text-text-3', className)} {...props} />
}

/** The card's body. */
export function CardContent({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('min-w-0', className)} {...props} />
}

/** Last row: facts left, actions right. */
export function CardFooter({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('flex items-center justify-between gap-2', className)} {...props} />
}
