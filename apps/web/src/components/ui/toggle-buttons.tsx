import { ToggleGroup } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'

export interface ToggleButtonsProps extends Omit<ComponentProps<'div'>, 'defaultValue' | 'onChange' | 'dir'> {
  'aria-label': string
  value: string[]
  onValueChange: (value: string[]) => void
}

export function ToggleButtons({ className, ...props }: ToggleButtonsProps) {
  return <ToggleGroup.Root type="multiple" className={cn('flex flex-wrap gap-2', className)} {...props} />
}

export function ToggleButton({ className, ...props }: ComponentProps<typeof ToggleGroup.Item>) {
  return (
    <ToggleGroup.Item
      className={cn(
        'h-8 min-w-9 rounded-control border border-line bg-surface px-1 text-sm text-text-2 transition-colors hover:border-line-strong pointer-coarse:h-11 pointer-coarse:min-w-11',
        'data-[state=on]:border-accent data-[state=on]:bg-accent data-[state=on]:font-medium data-[state=on]:text-on-accent',
        className,
      )}
      {...props}
    />
  )
}
