import { lazy, Suspense, useState } from 'react'
import { useMediaQuery } from '../../lib/media-query.ts'
import { Button } from '../ui/button.tsx'
import type { TextDiffProps } from './text-diff-props.ts'

const TextDiffView = lazy(() => import('./text-diff-view.tsx'))

/** From here on two texts have room beside each other. */
const SIDE_BY_SIDE = '(min-width: 768px)'
/** A text of so many lines may hide what changed: unchanged stretches are folded. */
const LONG_LINES = 12

/** Two texts with what differs marked: side by side, or on narrow screens one within the other. */
export function TextDiff({ before, after, label = 'Differences' }: TextDiffProps & { label?: string }) {
  const isSplit = useMediaQuery(SIDE_BY_SIDE)
  const [showsAll, setShowsAll] = useState(false)
  const isSame = before.text === after.text
  const isLong = [before, after].some(({ text }) => text.split('\n', LONG_LINES).length === LONG_LINES)
  return (
    <section aria-label={label} className="overflow-hidden rounded-control border border-line">
      <div className="grid border-b border-line bg-inset text-xs font-medium text-text-2 md:grid-cols-2 md:divide-x md:divide-line">
        <p className="truncate px-3 py-1.5 max-md:pb-0">
          <span aria-hidden="true" className="mr-1.5 font-mono text-danger">
            −
          </span>
          {before.label}
        </p>
        <p className="truncate px-3 py-1.5 max-md:pt-0">
          <span aria-hidden="true" className="mr-1.5 font-mono text-ok">
            +
          </span>
          {after.label}
        </p>
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
              {showsAll ? 'Only what changed' : 'Show all lines'}
            </Button>
          )}
        </p>
      )}
      <Suspense
        fallback={
          <p className="prompt-text p-3 whitespace-pre-wrap text-text-2 wrap-anywhere">{after.text}</p>
        }
      >
        <TextDiffView
          key={[isSplit, showsAll, before.label, after.label].join()}
          before={before}
          after={after}
          isSplit={isSplit}
          folds={!showsAll && !isSame}
        />
      </Suspense>
    </section>
  )
}
