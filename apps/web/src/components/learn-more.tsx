import { GUIDE_TOPICS, type GuideTopic } from '../lib/guide-topics.ts'
import { cn } from '../lib/utils.ts'

export function LearnMore({ about, className }: { about: GuideTopic; className?: string }) {
  const { href, label } = GUIDE_TOPICS[about]
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
