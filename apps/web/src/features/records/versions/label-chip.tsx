import { cn } from '../../../lib/utils.ts'

/** The label that calls ask for when they name none. */
export const PRODUCTION = 'production'

export function LabelChip({ label, className }: { label: string; className?: string }) {
  return (
    <span
      className={cn(
        'inline-block h-5 max-w-full truncate rounded-tag border px-1.5 align-middle text-xs leading-[18px]',
        label === PRODUCTION
          ? 'border-accent bg-accent text-on-accent'
          : 'border-line-strong bg-surface text-text-2',
        className,
      )}
    >
      {label}
    </span>
  )
}
