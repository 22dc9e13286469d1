import { cn } from '../lib/utils.ts'

export function BrandMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" className={cn('size-6 shrink-0', className)}>
      <rect width="40" height="40" rx="10" className="fill-accent" />
      <path
        d="M11.3 11.6C12.4 33.4 27.6 33.4 28.7 11.6"
        fill="none"
        className="stroke-on-accent"
        strokeWidth="2.9"
      />
      <circle cx="11.2" cy="11.8" r="2.5" className="fill-on-accent" />
      <circle cx="28.8" cy="11.8" r="2.5" className="fill-on-accent" />
    </svg>
  )
}

export function Brand({ className }: { className?: string }) {
  return (
    <span
      className={cn('inline-flex items-center gap-2 text-md font-semibold tracking-[-0.015em]', className)}
    >
      <BrandMark />
      Catenary
    </span>
  )
}
