import type { TokenRun } from '@catenary/contracts'
import { useState } from 'react'
import { Link } from 'wouter'
import { RelativeTime } from '../../components/time/relative-time.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { cn } from '../../lib/utils.ts'
import { ApiCallLine } from '../runs/api-call-line.tsx'
import { formatCached, formatCost, formatCount, formatSeconds, sumTokens } from '../runs/format-metrics.ts'
import { OlderRuns } from '../runs/older-runs.tsx'
import { type AnyToken, nameOf } from './token-texts.ts'
import { useTokenRuns } from './tokens.queries.ts'

const SHOWN_FIRST = 5

const isOfOneChain = (token: AnyToken): token is AnyToken & { chainId: number } =>
  token.tokenType === 'chain' || token.tokenType === 'hook'

export function TokenRuns({ token }: { token: AnyToken }) {
  const runs = useTokenRuns(token.id)
  const [showsAll, setShowsAll] = useState(false)
  const all = runs.data?.pages.flat()
  const shown = showsAll ? all : all?.slice(0, SHOWN_FIRST)
  const rest = (all?.length ?? 0) - (shown?.length ?? 0)
  return (
    <section
      aria-label={`Runs through ${nameOf(token)}`}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2.5"
    >
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="text-sm font-semibold tracking-normal">
          Runs <span className="font-normal text-text-3">through this token</span>
        </h3>
        {all && all.length > 0 && isOfOneChain(token) && (
          <Link
            href={`/chains/${token.chainId}?history=open`}
            className="relative text-xs text-accent-text underline-offset-3 after:absolute after:-inset-1.5 hover:underline pointer-coarse:after:-inset-4"
          >
            All of the chain’s runs
          </Link>
        )}
      </div>
      {runs.isPending && <Skeleton className="h-16" />}
      {runs.isError && !all && (
        <p role="alert" className="text-sm text-danger">
          Failed to load execution history. Please try refreshing.
        </p>
      )}
      {all?.length === 0 && <p className="text-sm text-text-3">No runs yet.</p>}
      {all && all.length > 0 && (
        <>
          <RunStrip runs={all} />
          <ul className="divide-y divide-line rounded-control border border-line bg-surface">
            {shown?.map((run) => (
              <TokenRunItem key={run.id} run={run} isNamed={!isOfOneChain(token)} />
            ))}
          </ul>
        </>
      )}
      {rest > 0 ? (
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-center"
          onClick={() => setShowsAll(true)}
        >
          Show {rest} more
        </Button>
      ) : (
        <OlderRuns history={runs} />
      )}
    </section>
  )
}

function TokenRunItem({ run, isNamed }: { run: TokenRun; isNamed: boolean }) {
  const { id, chainName, status, apiCall, executedAt, durationMs, costUsd, error } = run
  const tokens = sumTokens(run)
  const place = placeOf(run)
  const metrics = [
    durationMs !== null && `${formatSeconds(durationMs)} s`,
    tokens !== null && `${formatCount(tokens)} tokens`,
    costUsd !== null && formatCost(costUsd),
    formatCached(run),
  ].filter(Boolean)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-0.5 px-3 py-2 text-sm">
      <p className="flex flex-wrap items-center gap-x-2">
        <span aria-hidden className={cn('size-2 shrink-0 rounded-[3px]', STATUS_COLOURS[status])} />
        <span className="font-medium">#{id}</span>
        <span className={cn('text-xs', status === 'failed' ? 'text-danger' : 'text-text-3')}>{status}</span>
        {isNamed && place !== null && (
          <Link
            href={place}
            className="relative min-w-0 text-accent-text underline-offset-3 after:absolute after:-inset-1 hover:underline pointer-coarse:after:-inset-3.5"
          >
            <span dir="auto" className="block truncate">
              {chainName}
            </span>
          </Link>
        )}
        <RelativeTime time={executedAt} className="ml-auto text-xs text-text-3" />
      </p>
      {metrics.length > 0 && <p className="pl-4 text-xs text-text-2">{metrics.join(' · ')}</p>}
      {error && <p className="pl-4 text-xs text-danger wrap-anywhere">{error}</p>}
      {apiCall && (
        <div className="pl-4">
          <ApiCallLine apiCall={apiCall} />
        </div>
      )}
    </li>
  )
}

function placeOf({ chainId, promptId }: TokenRun): string | null {
  if (chainId !== null) return `/chains/${chainId}?history=open`
  return promptId === null ? null : `/execute/${promptId}?history=open`
}

type Status = TokenRun['status']

const SHOWN_MAX = 40
/** In percent: a run of no time is still seen. */
const HEIGHT_MIN = 8

const STATUS_COLOURS: Record<Status, string> = {
  running: 'bg-accent/40',
  completed: 'bg-accent',
  failed: 'bg-danger',
  cancelled: 'bg-line-strong',
}

function RunStrip({ runs }: { runs: readonly TokenRun[] }) {
  const shown = runs.slice(0, SHOWN_MAX).toReversed()
  const longest = Math.max(1, ...shown.map(({ durationMs }) => durationMs ?? 0))
  const failed = shown.filter(({ status }) => status === 'failed').length
  const summary = `The last ${shown.length}: ${failed} failed, the longest took ${formatSeconds(longest)} s`
  return (
    <div role="img" aria-label={summary} className="flex h-12 items-end gap-[3px] border-b border-line">
      {shown.map(({ id, status, durationMs }) => (
        <span
          key={id}
          title={`#${id}: ${status}, ${formatSeconds(durationMs ?? 0)} s`}
          className={cn('max-w-3 min-w-0 flex-1 rounded-t-[2px]', STATUS_COLOURS[status])}
          style={{ height: `${Math.max(HEIGHT_MIN, ((durationMs ?? 0) / longest) * 100)}%` }}
        />
      ))}
    </div>
  )
}
