import type { BestToken } from '@catenary/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { nameOf } from '../token-texts.ts'
import { SelectionItem } from './selection-item.tsx'
import { selectionsQuery } from './selections.queries.ts'

export interface SelectionsProps {
  token: BestToken | null
  showsEmpty: boolean
  onShowAll: () => void
}

export function Selections({ token, showsEmpty, onShowAll }: SelectionsProps) {
  const headingId = useId()
  const selections = useInfiniteQuery(selectionsQuery(token?.id ?? null))
  const { error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = selections
  const all = selections.data?.pages.flat()
  if (!showsEmpty && !all?.length) return null
  return (
    <section
      aria-labelledby={headingId}
      className="@container min-w-0 rounded-card border border-line bg-surface"
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-2 px-3.5 py-1.5">
        <h3 id={headingId} className="text-sm font-semibold tracking-normal">
          Last selections
        </h3>
        {token && (
          <>
            <span className="min-w-0 truncate text-sm text-text-3">through {nameOf(token)}</span>
            <Button variant="link" className="ml-auto text-xs" onClick={onShowAll}>
              Show all
            </Button>
          </>
        )}
      </div>
      <div className="border-t border-line">
        {!all && !error && (
          <div role="status" className="grid gap-2 p-3.5">
            <span className="sr-only">Loading selections</span>
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </div>
        )}
        {!all && error && (
          <div role="alert" className="flex flex-wrap items-center gap-3 p-3.5 text-sm">
            <p className="text-danger wrap-anywhere">
              The selections could not be loaded: {errorMessage(error)}
            </p>
            <Button variant="secondary" size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          </div>
        )}
        {all?.length === 0 && (
          <p className="p-3.5 text-sm text-text-2">
            No requests yet. Each one appears here with the chosen chain and the reason.
          </p>
        )}
        {all && all.length > 0 && (
          <ul aria-labelledby={headingId} className="divide-y divide-line">
            {all.map((selection) => (
              <SelectionItem key={selection.id} selection={selection} showsToken={token === null} />
            ))}
          </ul>
        )}
        {hasNextPage && (
          <div className="grid justify-center border-t border-line py-2.5">
            <Button
              variant="secondary"
              size="sm"
              pending={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              Show older selections
            </Button>
          </div>
        )}
      </div>
    </section>
  )
}
