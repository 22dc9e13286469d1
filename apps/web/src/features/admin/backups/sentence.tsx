import type { ReactNode } from 'react'
import { cn } from '../../../lib/utils.ts'

const TONES = {
  ok: { ground: 'bg-ok-soft text-ok', title: '' },
  warn: { ground: 'bg-warn-soft text-warn', title: 'text-warn' },
  danger: { ground: 'bg-danger-soft text-danger', title: 'text-danger' },
  none: { ground: 'bg-inset text-text-2', title: '' },
}

interface SentenceProps {
  icon: ReactNode
  tone: keyof typeof TONES
  title: ReactNode
  children: ReactNode
}

export function Sentence({ icon, tone, title, children }: SentenceProps) {
  return (
    <div role="status" className="flex min-w-0 flex-1 basis-80 items-start gap-4 max-sm:gap-3">
      <span
        className={cn(
          'grid size-12 shrink-0 place-items-center rounded-full [&_svg]:size-5.5 max-sm:size-10',
          TONES[tone].ground,
        )}
      >
        {icon}
      </span>
      <div className="grid min-w-0 gap-0.5">
        <h2 className={cn('text-xl leading-tight font-semibold wrap-anywhere', TONES[tone].title)}>
          {title}
        </h2>
        <p className="text-sm text-text-2 wrap-anywhere">{children}</p>
      </div>
    </div>
  )
}
