import type { Rating } from '@catenary/contracts'
import { MessageSquareTextIcon, ThumbsDownIcon, ThumbsUpIcon } from 'lucide-react'
import { cn } from '../../../lib/utils.ts'

const MARKS = {
  up: { Icon: ThumbsUpIcon, name: 'Rated up', className: 'text-ok' },
  down: { Icon: ThumbsDownIcon, name: 'Rated down', className: 'text-danger' },
  none: { Icon: MessageSquareTextIcon, name: 'Noted', className: 'text-text-3' },
} as const

export function RatingMark({
  rating: { thumb, note },
  isWhole = false,
}: {
  rating: Rating
  isWhole?: boolean
}) {
  const { Icon, name, className } = MARKS[thumb ?? 'none']
  return (
    <span className="inline-flex min-w-0 items-baseline gap-1" title={isWhole ? undefined : note}>
      <Icon aria-hidden="true" className={cn('size-3.5 shrink-0 self-center', className)} />
      <span className="sr-only">{name}</span>
      {note !== '' && (
        <span dir="auto" className={isWhole ? 'wrap-anywhere' : 'max-w-48 truncate'}>
          {note}
        </span>
      )}
    </span>
  )
}
