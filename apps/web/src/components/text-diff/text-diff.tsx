import { type ReactNode, Suspense, useState } from 'react'
import { useMediaQuery } from '../../lib/appearance/media-query.ts'
import { cn } from '../../lib/utils.ts'
import { part } from '../part.tsx'
import { Button } from '../ui/button.tsx'
import type { TextDiffProps } from './text-diff-props.ts'

const TextDiffView = part(() => import('./text-diff-view.tsx'))

const SIDE_BY_SIDE = '(min-width: 768px)'
/** A text of so many lines may hide what changed: unchanged stretches are folded. */
const LONG_LINES = 12

export function TextDiff({
  before,
  after,
  isTemplate = false,
  label = 'Differences',
}: TextDiffProps & { label?: string }) {
  const isSplit = useMediaQuery(SIDE_BY_SIDE)
  const [showsAll, setShowsAll] = useState(false)
  const isSame = before.text === after.text
  const isLong = [before, after].some(({ text }) => text.split('\n', LONG_LINES).length === LONG_LINES)
  return (
    <section aria-label={label} className="overflow-hidden rounded-control border border-line">
      <div className="grid border-b border-line bg-inset text-xs font-medium text-text-2 md:grid-cols-2 md:divide-x md:divide-line">
        <SideHead sign={<span className="text-danger">−</span>} side={before} className="max-md:pb-0" />
        <SideHead sign={<span className="text-ok">+</span>} side={after} className="max-md:pt-0" />
      </div>
      {(isSame || isLong) && (
        <p className="flex min-h-8 items-center justify-between gap-3 border-b border-line px-3 py-1 text-xs text-text-3">
          {isSame
            ? 'The text is the same in both.'
            : showsAll
              ? 'All lines are shown.'
              : 'Unchanged lines are folded.'}
          {!isSame && (
            <Button
              variant="link"
              className="relative text-xs after:absolute after:-inset-1.5"
              onClick={() => setShowsAll(!showsAll)}
            >
              {showsAll ? 'Only changes' : 'Show all lines'}
            </Button>
          )}
        </p>
      )}
      <Suspense
        fallback={
          <p dir="auto" className="prompt-text p-3 whitespace-pre-wrap text-text-2 wrap-anywhere">
            {after.text}
          </p>
        }
      >
        <TextDiffView
          key={[isSplit, showsAll, before.label, after.label].join()}
          before={before}
          after={after}
          isTemplate={isTemplate}
          isSplit={isSplit}
          folds={!showsAll && !isSame}
        />
      </Suspense>
    </section>
  )
}

function SideHead({
  sign,
  side: { label, detail },
  className,
}: {
  sign: ReactNode
  side: TextDiffProps['before']
  className: string
}) {
  return (
    <p className={cn('flex min-w-0 items-baseline px-3 py-1.5', className)}>
      <span aria-hidden="true" className="mr-1.5 font-mono">
        {sign}
      </span>
      <span className="min-w-0 truncate">{label}</span>
      {detail && (
        <span className="ml-auto shrink-0 pl-3 font-normal text-text-3 max-md:hidden">{detail}</span>
      )}
    </p>
  )
}
