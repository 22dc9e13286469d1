import { useQuery } from '@tanstack/react-query'
import { TriangleAlertIcon } from 'lucide-react'
import { ErrorState } from '../../components/error-state.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { schedulerQuery } from './admin.queries.ts'
import { SchedulerFacts } from './scheduler-facts.tsx'

export function SchedulerPanel() {
  const { data, error, refetch } = useQuery(schedulerQuery)
  return (
    <section aria-labelledby="scheduler" className="grid gap-3">
      <h2 id="scheduler" className="text-md font-semibold">
        Schedules and mail
      </h2>
      {data?.paused && (
        <Banner role="status" icon={<TriangleAlertIcon />}>
          All schedules are paused in the settings.
        </Banner>
      )}
      <div className="rounded-card border border-line px-3.5 py-3">
        {data ? (
          <SchedulerFacts state={data} />
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
        ) : (
          <Skeleton className="h-20" />
        )}
      </div>
    </section>
  )
}
