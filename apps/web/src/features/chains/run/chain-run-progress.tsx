import type {
  ChainRunPresence,
  ChainRunSummary,
  RunDetails,
  RunPresence,
  SeenRun,
  StepStatus,
  WaitingFor,
} from '@catenary/contracts'
import { HourglassIcon, ScissorsIcon } from 'lucide-react'
import { Badge } from '../../../components/ui/badge.tsx'
import { countText } from '../../../lib/text/count-text.ts'
import { cn } from '../../../lib/utils.ts'
import { waitedText } from '../../asks/waiting-line.tsx'
import { versionText } from '../../records/versions/version-text.ts'
import { formatCached, formatCost, formatCount, formatSeconds, sumTokens } from '../../runs/format-metrics.ts'
import { useNow, useSince } from '../../runs/use-now.ts'
import { type ChainRun, cutStepsOf, sumOf } from './chain-run.ts'
import { endedOf } from './items/items-text.ts'

const BADGES = {
  running: 'accent',
  completed: 'ok',
  failed: 'danger',
  cancelled: 'outline',
  started: 'outline',
  ended: 'outline',
} as const

const SEGMENTS: Record<StepStatus, string> = {
  waiting: 'bg-line',
  running: 'bg-accent',
  completed: 'bg-ok',
  failed: 'bg-danger',
  cancelled: 'bg-line-strong',
  asking: 'bg-warn',
  unsure: 'bg-warn',
  skipped: 'bg-line-strong',
}

const PASSED: ReadonlySet<StepStatus> = new Set(['completed', 'skipped'])

const STARTED: Record<RunDetails['trigger'], string> = {
  manual: 'Started by hand',
  schedule: 'Started by schedule',
  token: 'Called with a deleted token',
  evaluation: 'Started by an evaluation',
}

export function RunStatusBadge({
  status,
  waitingFor,
  cutSteps,
}: Pick<SeenRun, 'status'> & Pick<RunDetails, 'cutSteps'> & { waitingFor?: WaitingFor | undefined }) {
  if (waitingFor && status === 'running') {
    return (
      <Badge variant="accent" className="min-w-0 shrink">
        <HourglassIcon />
        <span className="truncate leading-normal">waiting for {waitedText(waitingFor)}</span>
      </Badge>
    )
  }
  const isCut = status === 'completed' && cutSteps > 0
  if (!isCut) return <Badge variant={BADGES[status]}>{status}</Badge>
  return (
    <Badge variant="warn" title={`The answer was, or may have been, cut off in ${cutSteps} of the steps`}>
      <ScissorsIcon />
      completed, but cut
    </Badge>
  )
}

type Started = Pick<ChainRunSummary, 'trigger' | 'token' | 'chainVersion' | 'chainLabel' | 'from'>

export function startOf(
  { trigger, token, chainVersion, chainLabel, from }: Started,
  by?: string | undefined,
): string {
  const start = token ? `Called with token “${token.name}”` : STARTED[trigger]
  const version = versionText({ label: chainLabel, version: chainVersion })
  const begun = from && fromText({ ...from, isOfOther: from.chainVersion !== chainVersion })
  return [by === undefined ? start : `${start} by ${by}`, version, begun].filter(Boolean).join(', ')
}

/** Such as `from #12, step 3`: where a run began, and with what of an earlier one. */
function fromText({
  executionId,
  position,
  chainVersion,
  isOfOther,
}: NonNullable<Started['from']> & { isOfOther: boolean }): string {
  const other = isOfOther && chainVersion !== null ? ` (version ${chainVersion})` : ''
  return `from #${executionId}${other}, step ${position + 1}`
}

export function presenceText({ executedBy, chainVersion: version }: ChainRunPresence | RunPresence): string {
  return [`Started by ${executedBy}`, versionText({ label: null, version })].filter(Boolean).join(', ')
}

export function startInSentence(run: Started): string {
  const start = startOf(run)
  return start.charAt(0).toLowerCase() + start.slice(1)
}

type Measured = Pick<
  ChainRunSummary,
  | 'completedSteps'
  | 'stepCount'
  | 'durationMs'
  | 'costUsd'
  | 'inputTokens'
  | 'outputTokens'
  | 'cachedTokens'
  | 'savedUsd'
>

export function metricsOf({ completedSteps, stepCount, durationMs, costUsd, ...run }: Measured): string {
  const tokens = sumTokens(run)
  return [
    `${completedSteps} of ${stepCount} ${stepCount === 1 ? 'step' : 'steps'}`,
    durationMs !== null && `${formatSeconds(durationMs)} s`,
    tokens !== null && `${formatCount(tokens)} tokens`,
    costUsd !== null && formatCost(costUsd),
    formatCached(run),
  ]
    .filter(Boolean)
    .join(' · ')
}

export function ChainRunProgress({ run }: { run: ChainRun }) {
  const { steps } = run
  if (steps.length === 0) return null
  const current = steps.findIndex(({ status }) => !PASSED.has(status))
  const items = steps[current]?.itemCounts
  const passed = current === -1 ? steps.length : current
  // A step may have ended the run before its last one.
  const place = current === -1 || run.status === 'completed' ? passed : passed + 1
  return (
    <>
      <div
        role="img"
        aria-label={`Step ${place} of ${steps.length}`}
        className={cn('flex h-1', steps.length > 30 ? 'gap-px' : 'gap-1')}
      >
        {steps.map((step) => (
          <span key={step.position} className={cn('min-w-0 flex-1 rounded-full', SEGMENTS[step.status])} />
        ))}
      </div>
      <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-text-3 [&_b]:font-medium [&_b]:text-text">
        <span>
          step <b>{place}</b> of {steps.length}
        </span>
        {items && (
          <span>
            <b>{endedOf(items)}</b> of {countText(items.all, 'item')}
          </span>
        )}
        <Metrics key={current} run={run} />
      </p>
    </>
  )
}

/** It is there before the last run is known, and where there is none: what stands below it keeps its place. */
export function ChainRunStrip({ run, isKnown }: { run: ChainRun | null; isKnown: boolean }) {
  const place = 'flex min-h-[54px] shrink-0 gap-3 border-b border-line bg-surface px-3.5 py-2'
  if (!run)
    return <p className={cn(place, 'items-center text-sm text-text-3')}>{isKnown && 'No runs to show'}</p>
  return (
    <div className={cn(place, 'items-start')}>
      <div className="flex max-w-1/2 shrink-0">
        <RunStatusBadge status={run.status} waitingFor={run.waitingFor} cutSteps={cutStepsOf(run.steps)} />
      </div>
      <div className="grid min-w-0 flex-1 gap-1.5 pt-2">
        <ChainRunProgress run={run} />
      </div>
    </div>
  )
}

/** Remounted for each step, whose time it counts while it runs. */
function Metrics({ run: { steps, details, status, waitingFor, isLost } }: { run: ChainRun }) {
  const since = useSince(steps.find((step) => step.status === 'running')?.startedAt)
  const isTicking = status === 'running' && waitingFor === undefined && !isLost
  const now = useNow(isTicking)
  const takenFrom = (position: number) => details?.steps[position]?.takenFrom
  const { durationMs, costUsd, ...usage } = sumOf(
    steps.map((step) => ({ ...step, takenFrom: takenFrom(step.position) })),
  )
  const tokens = sumTokens(usage)
  const time = (durationMs ?? 0) + (isTicking ? Math.max(0, now - since) : 0)
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
      {formatCached(usage) !== '' && <span>{formatCached(usage)}</span>}
    </>
  )
}
