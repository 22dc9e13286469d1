import type { GuideAddress } from '../lib/fault-topics.ts'
import { cn } from '../lib/utils.ts'

export function GuideLink({ href, label, className }: GuideAddress & { className?: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener"
      className={cn(
        'inline-flex min-h-6 items-center rounded-control text-sm text-accent-text underline-offset-3 hover:underline pointer-coarse:min-h-11',
        className,
      )}
    >
      Learn more<span className="sr-only"> about {label}, in a new tab</span>
    </a>
  )
}
