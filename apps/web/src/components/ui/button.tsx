import { cva, type VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '../../lib/utils.ts'
import { Spinner } from './spinner.tsx'

/** What is filled fades to its neighbours' ground: a colour at half strength can't carry its text. */
const faded =
  'disabled:bg-hover disabled:text-text-3 disabled:opacity-100 aria-disabled:bg-hover aria-disabled:text-text-3 aria-disabled:opacity-100'

const buttonVariants = cva(
  [
    'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-control border border-transparent',
    'font-medium whitespace-nowrap select-none transition-colors',
    'disabled:pointer-events-none disabled:text-text-2 disabled:opacity-65 aria-disabled:text-text-2 aria-disabled:opacity-65',
    '[&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*=size-])]:size-4',
  ],
  {
    variants: {
      variant: {
        primary: `bg-accent text-on-accent hover:bg-accent-hover forced-colors:forced-color-adjust-none forced-colors:bg-[Highlight] forced-colors:text-[HighlightText] ${faded}`,
        secondary: 'border-line bg-surface text-text hover:bg-hover',
        ghost: 'text-text-2 hover:bg-hover hover:text-text [&[aria-haspopup][aria-expanded=true]]:bg-hover',
        danger: `bg-danger text-surface hover:opacity-90 ${faded}`,
        link: 'h-auto! min-h-0! min-w-0! rounded-tag px-0! text-accent-text underline-offset-3 after:absolute after:-inset-1.5 hover:underline pointer-coarse:z-1 pointer-coarse:after:-inset-3',
      },
      size: {
        sm: 'h-7 px-2.5 text-sm pointer-coarse:min-h-11 pointer-coarse:min-w-11',
        md: 'h-8 px-3 text-sm pointer-coarse:min-h-11 pointer-coarse:min-w-11',
        lg: 'h-10 px-4 text-base pointer-coarse:min-h-11 pointer-coarse:min-w-11',
        icon: 'size-8 pointer-coarse:size-11',
        'icon-sm': 'size-7 pointer-coarse:size-11',
      },
    },
    defaultVariants: { variant: 'primary', size: 'md' },
  },
)

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonVariants> {
  asChild?: boolean
  pending?: boolean
}

/** A button; inside a form it is `type="button"` unless told otherwise. */
export function Button({
  className,
  variant,
  size,
  asChild,
  pending,
  disabled,
  type,
  children,
  ...props
}: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size }), className)
  if (asChild) {
    return (
      <Slot.Root className={classes} {...props}>
        {children}
      </Slot.Root>
    )
  }
  return (
    <button
      type={type ?? 'button'}
      className={classes}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      {...props}
    >
      {pending && <Spinner className="size-4" />}
      {children}
    </button>
  )
}
