import { Skeleton } from '../../../components/ui/skeleton.tsx'

const CARDS = Array.from({ length: 9 }, (_, index) => index)

/** Holds the places of the chains while they load. */
export function ChainsSkeleton() {
  return (
    <div role="status" className="@container">
      <span className="sr-only">Loading chains</span>
      <div className="grid animate-late gap-3 @min-[620px]:grid-cols-2 @min-[940px]:grid-cols-3">
        {CARDS.map((card) => (
          <div
            key={card}
            className="grid h-[9.75rem] content-start gap-2.5 rounded-card border border-line p-3.5"
          >
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="mt-1 h-3 w-full" />
            <Skeleton className="h-3 w-2/3" />
            <Skeleton className="mt-2 h-5 w-1/3" />
          </div>
        ))}
      </div>
    </div>
  )
}
