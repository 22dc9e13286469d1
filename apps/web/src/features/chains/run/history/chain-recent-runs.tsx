import type { SeenChainRun } from '@catenary/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { RelativeTime } from '../../../../components/time/relative-time.tsx'
import { Skeleton } from '../../../../components/ui/skeleton.tsx'
import { useSession } from '../../../../lib/session/session.tsx'
import { cn } from '../../../../lib/utils.ts'
import { formatCost, formatSeconds } from '../../../runs/format-metrics.ts'
import { RecentRuns } from '../../../runs/recent-runs.tsx'
import { chainHistoryQuery } from '../chain-runs.queries.ts'

const SHOWN = { alone: 5, beside: 3 }

/** The newest runs or, beside a run that is shown, those before it. */
export function ChainRecentRuns({ chainId, shown }: { chainId: number; shown: number | null }) {
  const { user } = useSession()
  const { data, isPending } = useInfiniteQuery({ ...chainHistoryQuery(chainId), enabled: user !== null })
  if (isPending) return <Skeleton className="h-44 animate-late rounded-card" />
  const runs = (data?.pages[0] ?? []).filter(({ id }) => shown === null || id < shown)
  if (runs.length === 0) return null
  // A run that is only known to exist has neither a height nor a colour.
  const known = runs.filter((run) => run.sight !== 'presence')
  const median = medianOf(known)
  const title = shown === null ? 'Recent runs' : 'Before that'
  return (
    <section aria-label={title} className="rounded-card border border-line bg-surface">
      <header className="flex min-h-11 items-center gap-2 border-b border-line py-1 pr-2 pl-3.5">
        <h2 className="text-sm font-semibold tracking-normal">{title}</h2>
        {median !== '' && <span className="truncate text-xs text-text-3">median {median}</span>}
        <RecentRuns runs={known} href={`/usage/runs?days=90&chainId=${chainId}`} className="ml-auto" />
      </header>
      <ul className="grid divide-y divide-line">
        {runs.slice(0, shown === null ? SHOWN.alone : SHOWN.beside).map((run) => (
          <RunRow key={run.id} chainId={chainId} run={run} />
        ))}
      </ul>
    </section>
  )
}

const ENDS: Partial<Record<SeenChainRun['status'], string>> = {
  failed: 'text-danger',
  running: 'text-accent-text',
}

function RunRow({ chainId, run }: { chainId: number; run: SeenChainRun }) {
  return (
    <li>
      <Link
        href={`/chains/${chainId}?run=${run.id}`}
        className="grid min-h-9 grid-cols-[2.5rem_3rem_3rem_minmax(0,1fr)_auto] items-center gap-x-2 px-3.5 text-xs text-text-3 outline-offset-[-3px] hover:bg-hover/50 pointer-coarse:min-h-11"
      >
        <span className="text-text-2">#{run.id}</span>
        <span className={cn('truncate', ENDS[run.status] ?? 'text-text-2')}>{endOf(run)}</span>
        <span className="truncate">{run.costUsd === null ? '' : formatCost(run.costUsd)}</span>
        <span className="truncate">{run.token?.name ?? run.executedBy}</span>
        <RelativeTime time={run.executedAt} className="whitespace-nowrap" />
      </Link>
    </li>
  )
}

function endOf({ status, durationMs, waitingFor }: SeenChainRun): string {
  if (waitingFor) return 'waiting'
  if (status === 'cancelled') return 'stopped'
  return status === 'completed' && durationMs !== null ? `${formatSeconds(durationMs)} s` : status
}

type Measured = Pick<SeenChainRun, 'status' | 'durationMs' | 'costUsd'>

/** `8.3 s, $0.0261` of those that came to an answer; nothing of a single one. */
function medianOf(runs: readonly Measured[]): string {
  const completed = runs.filter(({ status }) => status === 'completed')
  if (completed.length < 2) return ''
  const time = middleOf(completed.map(({ durationMs }) => durationMs))
  const cost = middleOf(completed.map(({ costUsd }) => costUsd))
  return [time !== null && `${formatSeconds(time)} s`, cost !== null && formatCost(cost)]
    .filter(Boolean)
    .join(', ')
}

function middleOf(values: readonly (number | null)[]): number | null {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
