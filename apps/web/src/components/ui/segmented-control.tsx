import { ToggleGroup } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'

export const segmentGroup =
  'inline-flex shrink-0 items-center gap-0.5 rounded-control border border-line bg-surface p-0.5'
export const segment =
  'inline-flex h-[26px] flex-1 items-center justify-center gap-1.5 rounded-[5px] px-2.5 text-sm font-medium whitespace-nowrap text-text-3 transition-colors hover:text-text disabled:opacity-65 pointer-coarse:h-11 pointer-coarse:px-4 [&_svg]:size-4 [&_svg]:shrink-0'

export interface SegmentedControlProps<Value extends string>
  extends Omit<ComponentProps<'div'>, 'defaultValue' | 'onChange' | 'dir'> {
  'aria-label': string
  value: Value
  onValueChange: (value: Value) => void
  disabled?: boolean
}

export function SegmentedControl<Value extends string>({
  className,
  value,
  onValueChange,
  ...props
}: SegmentedControlProps<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      value={value}
      onValueChange={(next) => next && onValueChange(next as Value)}
      className={cn(segmentGroup, className)}
      {...props}
    />
  )
}

/** One choice; an icon alone needs an `aria-label`. */
export function SegmentedControlItem({ className, ...props }: ComponentProps<typeof ToggleGroup.Item>) {
  return (
    <ToggleGroup.Item
      className={cn(segment, 'data-[state=on]:bg-hover data-[state=on]:text-text', className)}
      {...props}
    />
  )
}
