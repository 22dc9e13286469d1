import { useQuery } from '@tanstack/react-query'
import { TriangleAlertIcon } from 'lucide-react'
import { BrandMark } from '../../components/brand.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { schedulerQuery } from './admin.queries.ts'
import { ChecksPanel } from './checks-panel.tsx'
import { LogPanel } from './log-panel.tsx'
import { SchedulerFacts } from './scheduler-facts.tsx'

export function TestDashboard() {
  return (
    <div className="min-h-dvh">
      <header className="sticky top-0 z-10 flex h-14 items-center gap-2.5 border-b border-line bg-surface px-6 max-md:px-4">
        <BrandMark />
        <h1 className="text-lg font-semibold">Test Dashboard</h1>
        <a
          href="/"
          className="ml-auto flex h-8 items-center text-sm text-accent-text underline-offset-3 hover:underline pointer-coarse:h-11"
        >
          Open Catenary
        </a>
      </header>
      <main className="mx-auto grid max-w-[960px] gap-10 px-6 py-6 max-md:px-4">
        <ChecksPanel />
        <SchedulerPanel />
        <LogPanel />
      </main>
    </div>
  )
}

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
