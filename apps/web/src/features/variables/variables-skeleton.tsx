import { Skeleton } from '../../components/ui/skeleton.tsx'

const ROWS = Array.from({ length: 7 }, (_, index) => index)

/** Holds the places of the rows while they load. */
export function VariablesSkeleton() {
  return (
    <div role="status" className="animate-late rounded-card border border-line">
      <span className="sr-only">Loading variables</span>
      <div className="h-9" />
      {ROWS.map((row) => (
        <div key={row} className="flex h-[48px] items-center gap-8 border-t border-line px-3.5">
          <Skeleton className="h-3.5 w-28" />
          <Skeleton className="h-3.5 flex-1" />
          <Skeleton className="h-5 w-24 max-md:hidden" />
        </div>
      ))}
    </div>
  )
}
