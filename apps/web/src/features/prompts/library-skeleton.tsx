import { Skeleton } from '../../components/ui/skeleton.tsx'
import type { LibraryView } from '../../lib/filters.ts'

const CARDS = Array.from({ length: 9 }, (_, index) => index)

/** Holds the places of the prompts while they load. */
export function LibrarySkeleton({ view }: { view: LibraryView }) {
  return (
    <div role="status" className="@container min-h-0 flex-1 overflow-hidden px-6 pt-0.5 max-md:px-3.5">
      <span className="sr-only">Loading prompts</span>
      {view === 'grid' ? (
        <div className="grid animate-late gap-3 @min-[620px]:grid-cols-2 @min-[940px]:grid-cols-3">
          {CARDS.map((card) => (
            <CardSkeleton key={card} />
          ))}
        </div>
      ) : (
        <div className="grid animate-late gap-px border-t border-line">
          {CARDS.map((row) => (
            <div key={row} className="flex h-[45px] items-center gap-4 border-b border-line px-3.5">
              <Skeleton className="h-4 w-8 rounded-full" />
              <Skeleton className="h-4 w-64 max-md:flex-1" />
              <Skeleton className="ml-auto h-4 w-40 max-md:hidden" />
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

function CardSkeleton() {
  return (
    <div className="grid h-[12.875rem] content-start gap-2.5 rounded-card border border-line p-3.5">
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-3 w-1/4" />
      <Skeleton className="mt-2 h-3 w-full" />
      <Skeleton className="h-3 w-11/12" />
      <Skeleton className="h-3 w-3/5" />
      <Skeleton className="mt-2 h-5 w-1/3" />
    </div>
  )
}
