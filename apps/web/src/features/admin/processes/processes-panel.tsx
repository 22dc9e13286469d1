import type { Activity } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { CircleAlertIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { SettingsPanel, SettingsRows } from '../../../components/settings-panel.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { ActiveRunRow } from './active-run-row.tsx'
import { activityQuery } from './activity.queries.ts'
import { DatabaseActivity } from './database-activity.tsx'
import { ProcessRow } from './process-row.tsx'
import { QueueRow } from './queue-row.tsx'

export default function ProcessesPanel() {
  const { data, error, refetch } = useQuery(activityQuery)
  return (
    <SettingsPanel
      title="Processes"
      description="What Catenary is doing now. Texts, and the names of prompts and chains, stay private."
    >
      {data ? (
        <>
          {error && (
            <Banner variant="danger" role="status" icon={<CircleAlertIcon />}>
              This may be out of date: {errorReason(error)}
            </Banner>
          )}
          <ActiveRuns activity={data} />
          <Queues queues={data.queues} />
          <Processes activity={data} />
          <DatabaseActivity database={data.database} />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
      ) : (
        <>
          <Skeleton className="h-44" />
          <Skeleton className="h-28" />
        </>
      )}
    </SettingsPanel>
  )
}

function ActiveRuns({ activity: { runs, hasMoreRuns } }: { activity: Activity }) {
  return (
    <Part title="Runs">
      {runs.length === 0 ? (
        <Nothing>No run is running or waiting.</Nothing>
      ) : (
        <SettingsRows label="Runs">
          {runs.map((run) => (
            <ActiveRunRow key={run.id} run={run} />
          ))}
        </SettingsRows>
      )}
      {hasMoreRuns && <p className="text-xs text-text-3">Only the {runs.length} oldest are shown.</p>}
    </Part>
  )
}

function Queues({ queues }: Pick<Activity, 'queues'>) {
  return (
    <Part title="Jobs">
      {queues.length === 0 ? (
        <Nothing>No jobs are waiting.</Nothing>
      ) : (
        <SettingsRows label="Jobs">
          {queues.map((queue) => (
            <QueueRow key={queue.queue} queue={queue} />
          ))}
        </SettingsRows>
      )}
    </Part>
  )
}

function Processes({ activity: { processes, hasMoreProcesses } }: { activity: Activity }) {
  return (
    <Part title="Each process">
      {processes.length === 0 ? (
        <Nothing>No process has reported in.</Nothing>
      ) : (
        <SettingsRows label="Processes">
          {processes.map((process) => (
            <ProcessRow key={process.id} process={process} />
          ))}
        </SettingsRows>
      )}
      {hasMoreProcesses && <p className="text-xs text-text-3">Only {processes.length} are shown.</p>}
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-2">
      <h2 className="text-sm font-medium">{title}</h2>
      {children}
    </section>
  )
}

function Nothing({ children }: { children: ReactNode }) {
  return <p className="rounded-card border border-line px-3.5 py-3 text-sm text-text-2">{children}</p>
}
