import type { UsageRun } from '@catenary/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ListXIcon } from 'lucide-react'
import { Link } from 'wouter'
import { BackLink } from '../../components/back-link.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Time } from '../../components/time/time.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '../../components/ui/table.tsx'
import { useAddress } from '../../lib/address.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { formatCost } from '../runs/format-metrics.ts'
import { OlderRuns } from '../runs/older-runs.tsx'
import { usageRunsQuery } from './usage.queries.ts'
import { dayText, reasonText, timeText } from './usage-text.ts'
import { readFilter, readView, toQuery, type UsageFilter } from './usage-view.ts'

const OUTCOMES = {
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Stopped',
} as const
const VARIANTS = { running: 'accent', completed: 'ok', failed: 'danger', cancelled: 'neutral' } as const

export function UsageRunsPage({ timeZone }: { timeZone: string }) {
  useDocumentTitle('Runs')
  const [params] = useAddress()
  const view = readView(params)
  const filter = readFilter(params)
  const history = useInfiniteQuery(usageRunsQuery(view, { ...filter, timeZone }))
  const runs = history.data?.pages.flatMap((page) => page.runs)
  return (
    <>
      <PageHeader
        title="Runs"
        start={<BackLink href={`/usage?${toQuery(view)}`} label="Back to Usage" />}
        badges={
          <div className="flex min-w-0 gap-2 overflow-hidden">
            {filterTexts({ filter, runs }).map((words) => (
              <Badge key={words}>{words}</Badge>
            ))}
          </div>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto px-6 py-4 max-md:px-3.5">
        <div className="grid gap-4">
          {history.error && !runs ? (
            <ErrorState
              title="The runs could not be loaded"
              error={history.error}
              onRetry={() => void history.refetch()}
            />
          ) : runs ? (
            <Runs runs={runs} showsPerson={view.scope === 'everyone'} />
          ) : (
            <RunsSkeleton />
          )}
          <OlderRuns history={history} />
        </div>
      </div>
    </>
  )
}

/** What the list contains, in words; a name is known once one of its runs is. */
function filterTexts({ filter, runs = [] }: { filter: UsageFilter; runs: UsageRun[] | undefined }) {
  const { date, outcome, reason, model, promptId, chainId, userId } = filter
  return [
    ...(date === undefined ? [] : [dayText(date)]),
    ...(outcome === undefined ? [] : [OUTCOMES[outcome]]),
    ...(reason === undefined ? [] : [reasonText(reason)]),
    ...(model === undefined ? [] : [model]),
    ...(promptId === undefined ? [] : [runs[0]?.name ?? `Prompt #${promptId}`]),
    ...(chainId === undefined ? [] : [runs[0]?.name ?? `Chain #${chainId}`]),
    ...(userId === undefined ? [] : [runs[0]?.executedBy ?? `Account #${userId}`]),
  ]
}

interface RunsProps {
  runs: UsageRun[]
  showsPerson: boolean
}

function Runs({ runs, showsPerson }: RunsProps) {
  if (runs.length === 0) {
    return (
      <EmptyState
        icon={<ListXIcon />}
        title="No runs to show"
        about="usage"
        description="Deleted runs still count in Usage but are not listed here."
      />
    )
  }
  return (
    <Table aria-label="Runs">
      <TableHeader>
        <tr>
          <TableHead className="max-md:hidden">When</TableHead>
          <TableHead>What</TableHead>
          <TableHead>Outcome</TableHead>
          <TableHead className="max-md:hidden">Model</TableHead>
          <TableHead className="text-right">Time</TableHead>
          <TableHead className="text-right">Cost</TableHead>
          {showsPerson && <TableHead className="max-md:hidden">Who</TableHead>}
        </tr>
      </TableHeader>
      <TableBody>
        {runs.map((run) => (
          <TableRow key={run.id}>
            <TableCell className="whitespace-nowrap text-text-2 max-md:hidden">
              <Time time={run.executedAt} />
            </TableCell>
            <TableCell className="max-w-72 truncate max-md:max-w-40 max-md:py-2">
              <RunName run={run} />
              <time dateTime={run.executedAt} className="block truncate text-xs text-text-3 md:hidden">
                <Time time={run.executedAt} />
              </time>
            </TableCell>
            <TableCell>
              <span className="flex items-center gap-2 whitespace-nowrap">
                <Badge variant={VARIANTS[run.status]}>{OUTCOMES[run.status]}</Badge>
                {run.status === 'failed' && run.error && (
                  <span className="text-text-2 max-md:hidden">{reasonText(run.error)}</span>
                )}
              </span>
            </TableCell>
            <TableCell className="max-w-48 truncate font-mono text-xs max-md:hidden">
              {run.models.join(', ')}
            </TableCell>
            <TableCell className="text-right whitespace-nowrap tabular-nums">
              {run.durationMs === null ? '–' : timeText(run.durationMs)}
            </TableCell>
            <TableCell className="text-right whitespace-nowrap tabular-nums">
              {formatCost(run.costUsd)}
            </TableCell>
            {showsPerson && (
              <TableCell dir="auto" className="max-w-40 truncate max-md:hidden">
                {run.executedBy}
              </TableCell>
            )}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

function RunName({ run: { id, kind, name, promptId, chainId } }: { run: UsageRun }) {
  if (name === null) return <span className="text-text-3">{`A private or deleted ${kind}`}</span>
  const href =
    kind === 'chain' ? `/chains/${chainId}?history=open&run=${id}` : `/execute/${promptId}?history=open`
  return (
    <Link dir="auto" href={href} title={name} className="font-medium hover:underline underline-offset-3">
      {name}
    </Link>
  )
}

function RunsSkeleton() {
  return (
    <div role="status" className="grid animate-late gap-2">
      <span className="sr-only">Loading the runs...</span>
      {[0, 1, 2, 3, 4].map((row) => (
        <Skeleton key={row} className="h-11" />
      ))}
    </div>
  )
}
