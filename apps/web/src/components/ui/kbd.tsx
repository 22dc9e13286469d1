import type { ReactNode } from 'react'
import { cn } from '../../lib/utils.ts'

/** A key; inside a primary button it takes that button's colour. Hidden where there is no keyboard. */
export function Kbd({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-[4px] border border-current/35 px-1',
        'text-2xs leading-none font-normal text-current pointer-coarse:hidden',
        className,
      )}
    >
      {children}
    </span>
  )
}
