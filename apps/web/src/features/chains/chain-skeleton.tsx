import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { BackToChains } from './back-to-chains.tsx'

const STEPS = [0, 1, 2, 3]

export function ChainSkeleton() {
  return (
    <>
      <PageHeader title="Chain" start={<BackToChains />} />
      <div role="status" className="min-h-0 flex-1 animate-late overflow-hidden px-6 pt-5 max-md:px-3.5">
        <p className="mx-auto max-w-[860px] text-base text-text-3 md:pl-[76px]">Loading chain details...</p>
        <div className="mx-auto mt-5 grid max-w-[860px] gap-3 md:pl-[76px]">
          {STEPS.map((step) => (
            <div
              key={step}
              className="grid h-[108px] content-start gap-3 rounded-card border border-line p-3.5"
            >
              <Skeleton className="h-4 w-1/3" />
              <Skeleton className="h-3 w-4/5" />
              <Skeleton className="h-5 w-2/5" />
            </div>
          ))}
        </div>
      </div>
    </>
  )
}
