import {
  type CurrentWork,
  type QueueState,
  type SlowStatement,
  WORK_COUNTED,
  type WorkProcess,
} from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { CircleAlertIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { Fact } from '../../../components/fact.tsx'
import { SettingsPanel, SettingsRows } from '../../../components/settings-panel.tsx'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorReason } from '../../../lib/errors.ts'
import { countText } from '../../../lib/text/count-text.ts'
import { ActiveRunRow } from './active-run-row.tsx'
import { currentWorkQuery } from './processes.queries.ts'

export default function ProcessesPanel() {
  const { data, error, refetch } = useQuery(currentWorkQuery)
  return (
    <SettingsPanel
      title="Processes"
      isReadOnly
      description="What Catenary is doing now. Texts, and the names of prompts and chains, stay private."
    >
      {data ? (
        <>
          {error && (
            <Banner variant="danger" role="status" icon={<CircleAlertIcon />}>
              This may be out of date: {errorReason(error)}
            </Banner>
          )}
          <ActiveRuns work={data} />
          <Queues queues={data.queues} />
          <Processes work={data} />
          <DatabaseWork database={data.database} />
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

function ActiveRuns({ work: { runs, hasMoreRuns } }: { work: CurrentWork }) {
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

function Queues({ queues }: Pick<CurrentWork, 'queues'>) {
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

function Processes({ work: { processes, hasMoreProcesses } }: { work: CurrentWork }) {
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

/** From this share on, one more process may find no free connection. */
const MANY = 0.8
const KINDS = { embedded: 'embedded', server: 'PostgreSQL server' } as const

function DatabaseWork({ database }: Pick<CurrentWork, 'database'>) {
  const { kind, answeredInMs, waitingCalls, connections, statements } = database
  return (
    <section aria-label="Database" className="grid gap-2">
      <h2 className="text-sm font-medium">Database</h2>
      <div className="rounded-card border border-line px-3.5 py-3">
        <dl className="grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-x-4 gap-y-2.5 text-sm">
          <Fact name="Kind">{KINDS[kind]}</Fact>
          <Fact name="Response time">{Math.round(answeredInMs).toLocaleString('en')} ms</Fact>
          <Fact name="Waiting calls">{waitingCalls.toLocaleString('en')}</Fact>
          {connections !== null && (
            <Fact name="Connections in use">
              {connections.used.toLocaleString('en')} of {connections.allowed.toLocaleString('en')}
            </Fact>
          )}
        </dl>
      </div>
      {connections !== null && connections.used > connections.allowed * MANY && (
        <Banner variant="warn" role="status" icon={<CircleAlertIcon />}>
          Connections are running out. Lower the pool of each process, or raise max_connections.
        </Banner>
      )}
      {kind === 'server' && statements.length === 0 && (
        <p className="text-xs text-text-3">No statement takes longer than a second.</p>
      )}
      {statements.length > 0 && (
        <SettingsRows label="Slow statements">
          {statements.map((statement) => (
            <StatementRow key={statement.pid} statement={statement} />
          ))}
        </SettingsRows>
      )}
    </section>
  )
}

function StatementRow({ statement }: { statement: SlowStatement }) {
  const { pid, since, isIdle, text, waitsFor, blockedBy } = statement
  return (
    <li className="grid gap-1 px-3.5 py-2.5">
      <p className="font-mono text-xs text-text wrap-anywhere">{text}</p>
      <p className="text-xs text-text-3 wrap-anywhere">
        Session {pid}, {isIdle ? 'transaction open' : 'running'} since <RelativeTime time={since} />
        {waitsFor !== null && ` · waiting for ${waitsFor}`}
        {blockedBy.length > 0 && ` · blocked by session ${blockedBy.join(', ')}`}
      </p>
    </li>
  )
}

const ROLES = { all: 'Web and worker', web: 'Web', worker: 'Worker' } as const

function ProcessRow({ process }: { process: WorkProcess }) {
  const { role, version, host, startedAt, seenAt, isLive, runs, jobs, poolSize } = process
  return (
    <li className="grid gap-0.5 px-3.5 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium wrap-anywhere">
        {host}
        <Badge>{ROLES[role]}</Badge>
        {!isLive && <Badge variant="warn">Silent</Badge>}
      </p>
      <p className="text-xs text-text-3 wrap-anywhere">
        {isLive && `${countText(runs, 'run')} · ${countText(jobs, 'job')} · `}
        seen <RelativeTime time={seenAt} /> · started <RelativeTime time={startedAt} /> · version {version} ·
        up to {countText(poolSize, 'connection')}
      </p>
    </li>
  )
}

const numberText = (count: number) =>
  `${count.toLocaleString('en')}${count >= WORK_COUNTED ? ' or more' : ''}`

function QueueRow({ queue: { queue, due, later, failing, held, oldestDueAt } }: { queue: QueueState }) {
  const parts = [
    { count: held, text: 'running' },
    { count: due, text: 'due' },
    { count: later, text: 'later' },
  ].filter(({ count }) => count > 0)
  return (
    <li className="grid gap-0.5 px-3.5 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium wrap-anywhere">
        {queue}
        {failing > 0 && <Badge variant="danger">{numberText(failing)} failing</Badge>}
      </p>
      <p className="text-xs text-text-3">
        {parts.map(({ count, text }) => `${numberText(count)} ${text}`).join(' · ')}
        {oldestDueAt !== null && (
          <>
            {' · '}due since <RelativeTime time={oldestDueAt} />
          </>
        )}
      </p>
    </li>
  )
}
