import { RadioGroup } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'

export function ChoiceList({ className, ...props }: ComponentProps<typeof RadioGroup.Root>) {
  return <RadioGroup.Root className={cn('grid auto-rows-max content-start gap-0.5', className)} {...props} />
}

export function ChoiceListItem({ className, ...props }: ComponentProps<typeof RadioGroup.Item>) {
  return (
    <RadioGroup.Item
      className={cn(
        'grid w-full min-w-0 gap-0.5 rounded-control px-2.5 py-1.5 text-left transition-colors hover:bg-hover',
        'focus-visible:outline-offset-[-3px] data-[state=checked]:bg-accent-soft pointer-coarse:min-h-11',
        className,
      )}
      {...props}
    />
  )
}
