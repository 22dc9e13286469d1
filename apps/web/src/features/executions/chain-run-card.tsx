import type { ChainExecutionSummary, Execution, StepStatus } from '@catenary/contracts'
import { CircleAlertIcon, RotateCwIcon, XIcon } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Hint } from '../../components/ui/tooltip.tsx'
import { cn } from '../../lib/utils.ts'
import { formatRunDate } from './chain-dates.ts'
import { type ChainRun, sumOf } from './chain-run.ts'
import { formatCost, formatCount, formatSeconds, sumTokens } from './figures.ts'
import type { ChainRunning } from './use-chain-run.ts'
import { useNow } from './use-now.ts'

/** The specification's colours of a run's status. */
const BADGES = { running: 'accent', completed: 'ok', failed: 'danger', cancelled: 'outline' } as const

const SEGMENTS: Record<StepStatus, string> = {
  waiting: 'bg-line',
  running: 'bg-accent',
  completed: 'bg-ok',
  failed: 'bg-danger',
  cancelled: 'bg-line-strong',
}

const STARTED: Record<Execution['trigger'], string> = {
  manual: 'Started by hand',
  schedule: 'Started by schedule',
  token: 'Started by API token',
}

/** A run's status. */
export function RunStatusBadge({ status }: { status: Execution['status'] }) {
  return <Badge variant={BADGES[status]}>{status}</Badge>
}

/** How a run was started. */
export function startOf({ trigger }: Pick<ChainExecutionSummary, 'trigger'>): string {
  return STARTED[trigger]
}

/** The run in view: how far it is, what it took so far, how and when it was started. */
export function ChainRunCard({ run, running }: { run: ChainRun; running: ChainRunning }) {
  const { id, status, steps, details, error, isLost } = run
  const current = steps.findIndex((step) => step.status !== 'completed')
  const place = current === -1 ? steps.length : current + 1
  return (
    <section aria-label={`Execution #${id}`} className="rounded-card border border-line bg-surface">
      <header className="flex min-h-11 items-center gap-2 border-b border-line py-1 pr-2 pl-3.5">
        <h2 className="flex-1 text-sm font-semibold tracking-normal">Execution #{id}</h2>
        <RunStatusBadge status={status} />
        {status !== 'running' && (
          <Hint text="Take this run out of view">
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label="Take this run out of view"
              onClick={running.close}
            >
              <XIcon />
            </Button>
          </Hint>
        )}
      </header>
      <div className="grid gap-2 px-3.5 pt-3 pb-3">
        {steps.length > 0 && (
          <div
            role="img"
            aria-label={`Step ${place} of ${steps.length}`}
            className={cn('flex h-1', steps.length > 30 ? 'gap-px' : 'gap-1')}
          >
            {steps.map((step) => (
              <span
                key={step.position}
                className={cn('min-w-0 flex-1 rounded-full', SEGMENTS[step.status])}
              />
            ))}
          </div>
        )}
        <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-text-3 [&_b]:font-medium [&_b]:text-text">
          <span>
            step <b>{place}</b> of {steps.length}
          </span>
          <Figures key={current} run={run} />
        </p>
        {error && status === 'failed' && (
          <p className="line-clamp-3 text-sm text-danger wrap-anywhere">{error}</p>
        )}
        {details && (
          <p className="text-sm text-text-2">
            {startOf(details)} · {formatRunDate(details.executedAt)}
          </p>
        )}
        {run.hasNoDetails && <p className="text-sm text-danger">Failed to load execution details</p>}
        {run.canResume && (
          <Button
            size="sm"
            variant="secondary"
            className="justify-self-start"
            pending={running.isResuming}
            onClick={() => running.resume(id)}
          >
            {!running.isResuming && <RotateCwIcon />}
            Resume
          </Button>
        )}
        {isLost && (
          <p className="flex flex-wrap items-center gap-2 text-sm text-warn">
            <CircleAlertIcon className="size-4 shrink-0" />
            <span className="min-w-0 flex-1">The status could not be had. The run may still go on.</span>
            <Button size="sm" variant="secondary" onClick={running.followAgain}>
              Check again
            </Button>
          </p>
        )}
      </div>
    </section>
  )
}

/** Mounted anew for each step, whose time it counts while it runs. */
function Figures({ run: { steps, status, isLost } }: { run: ChainRun }) {
  const [since] = useState(Date.now)
  const isTicking = status === 'running' && !isLost
  const now = useNow(isTicking)
  const { durationMs, costUsd, ...usage } = sumOf(steps)
  const tokens = sumTokens(usage)
  const time = (durationMs ?? 0) + (isTicking ? now - since : 0)
  return (
    <>
      <span>
        <b>{formatSeconds(time)}</b> s
      </span>
      {tokens !== null && (
        <span>
          <b>{formatCount(tokens)}</b> tokens
        </span>
      )}
      {costUsd !== null && <b>{formatCost(costUsd)}</b>}
    </>
  )
}
