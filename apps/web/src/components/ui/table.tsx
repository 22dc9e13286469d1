import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'

interface TableProps extends ComponentProps<'table'> {
  isFramed?: boolean
}

export function Table({ className, isFramed = true, ...props }: TableProps) {
  return (
    <div className={cn('overflow-x-auto', isFramed && 'rounded-card border border-line')}>
      <table className={cn('w-full border-collapse text-left text-sm', className)} {...props} />
    </div>
  )
}

export function TableHeader(props: ComponentProps<'thead'>) {
  return <thead {...props} />
}

export function TableBody({ className, ...props }: ComponentProps<'tbody'>) {
  return <tbody className={cn('[&>tr]:border-t [&>tr]:border-line', className)} {...props} />
}

/** A row; actions inside may use `group-hover/row` and `group-focus-within/row`. */
export function TableRow({ className, ...props }: ComponentProps<'tr'>) {
  return <tr className={cn('group/row', className)} {...props} />
}

export function TableHead({ className, ...props }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={cn('h-9 px-(--card-x) text-xs font-medium whitespace-nowrap text-text-3', className)}
      {...props}
    />
  )
}

export function TableCell({ className, ...props }: ComponentProps<'td'>) {
  return <td className={cn('h-(--row) px-(--card-x) align-middle', className)} {...props} />
}
