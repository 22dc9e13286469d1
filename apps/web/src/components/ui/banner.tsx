import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '../../lib/utils.ts'

const bannerVariants = cva('flex gap-2 text-sm [&_svg]:size-4 [&_svg]:shrink-0', {
  variants: {
    variant: {
      warn: 'bg-warn-soft text-warn',
      danger: 'bg-danger-soft text-danger',
      accent: 'bg-accent-soft text-accent-text',
      ok: 'bg-ok-soft text-ok',
    },
    shape: {
      bar: 'min-h-[35px] items-center border-b border-line px-6 py-1 pointer-coarse:min-h-11',
      box: 'items-start rounded-control px-3 py-2',
    },
  },
  defaultVariants: { variant: 'warn', shape: 'box' },
})

export interface BannerProps extends ComponentProps<'div'>, VariantProps<typeof bannerVariants> {
  icon?: ReactNode
  action?: ReactNode
}

/** A sentence that stays: `shape="bar"` across the page, `box` inside a dialog. Give errors `role="alert"`. */
export function Banner({ className, variant, shape, icon, action, children, ...props }: BannerProps) {
  return (
    <div className={cn(bannerVariants({ variant, shape }), className)} {...props}>
      {icon && <span className="flex h-lh items-center">{icon}</span>}
      <div className="min-w-0 flex-1 wrap-anywhere">{children}</div>
      {action}
    </div>
  )
}
