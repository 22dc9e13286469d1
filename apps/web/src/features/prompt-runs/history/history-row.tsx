import { HISTORY_PROMPT_PREVIEW, isWhole, type ListedPromptRun } from '@catenary/contracts'
import { shortenText } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { FlaskConicalIcon } from 'lucide-react'
import { Suspense, useId, useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { part } from '../../../components/part.tsx'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useTimeZone } from '../../../lib/time-zone.ts'
import { cutWords } from '../../runs/cut-badge.tsx'
import { formatCached, formatCost, formatCount, formatSeconds, sumTokens } from '../../runs/format-metrics.ts'
import { ModelBadge } from '../../runs/model-badge.tsx'
import { RatingMark } from '../../runs/rating/rating-mark.tsx'
import { promptRunQuery } from '../prompt-runs.queries.ts'
import { runName, withoutValue } from '../run.ts'
import { describeFailure } from '../run-failure.ts'
import { HistoryHeadline } from './history-headline.tsx'

const HistoryEntry = part(() => import('./history-entry.tsx'))

const BADGES = { completed: 'ok', failed: 'danger', cancelled: 'warn', running: 'accent' } as const

export interface HistoryRowProps {
  promptId: number
  run: ListedPromptRun
  before: ListedPromptRun | undefined
  promptVersion: number
  isOwn: boolean
  isTicked: boolean
  /** Undefined once as many are chosen as fit. */
  onTick: (() => void) | undefined
  onRunAgain: (() => void) | undefined
  onTakeInputs: () => void
  onDelete: () => void
  onSaveTest: (() => void) | undefined
}

export function HistoryRow({ promptId, run, before, isOwn, ...props }: HistoryRowProps) {
  const { isTicked, onTick, onRunAgain, onTakeInputs, ...entry } = props
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const timeZone = useTimeZone()
  const named = runName({ run, timeZone })
  const { status, model, provider, executedAt, executedBy } = run
  const beginning = shorten(run.executedPromptContent)
  return (
    <li className="border-t border-line first:border-t-0" data-execution-id={run.id}>
      <div className="relative grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-3.5 py-1.5 hover:bg-hover/50">
        <label className="relative z-1 row-span-2 -m-2 flex p-2 pointer-coarse:-m-3.5 pointer-coarse:p-3.5">
          <input
            type="checkbox"
            aria-label={`Compare ${named}`}
            checked={isTicked}
            disabled={!onTick}
            onChange={() => onTick?.()}
            className="size-4 accent-accent"
          />
        </label>
        <div className="flex min-w-0 items-center gap-2 @max-md:col-span-2 @max-md:pt-1">
          <ModelBadge variant={BADGES[status]} model={model} />
          {provider === 'sandbox' && (
            <Badge variant="outline" title="Answered by the built-in sandbox" className="px-1">
              <FlaskConicalIcon />
              <span className="sr-only">sandbox</span>
            </Badge>
          )}
          <HistoryHeadline id={`${id}-headline`} run={run} before={before} />
        </div>
        <div className="relative z-1 -mr-2.5 flex @max-md:col-start-2 @max-md:row-start-3 @max-md:-ml-2.5">
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Use these values: ${named}`}
            aria-describedby={`${id}-headline`}
            onClick={onTakeInputs}
          >
            Use these values
          </Button>
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Run again: ${named}`}
            aria-describedby={`${id}-headline`}
            disabled={!onRunAgain}
            onClick={onRunAgain}
          >
            Run again
          </Button>
        </div>
        <div className="col-span-2 flex min-w-0 flex-wrap items-baseline gap-x-3 text-xs text-text-3">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={`${id}-entry`}
            aria-label={[beginning, named].filter(Boolean).join(', ')}
            aria-describedby={`${id}-headline`}
            onClick={() => setIsOpen(!isOpen)}
            className="min-h-6 min-w-24 flex-1 truncate py-0.5 text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-ring"
          >
            {beginning}
          </button>
          {run.rating && <RatingMark rating={run.rating} />}
          <span>
            {isOwn ? '' : `${executedBy} · `}
            {summarize(run)} · <RelativeTime time={executedAt} />
          </span>
        </div>
      </div>
      <article id={`${id}-entry`} aria-label={named} hidden={!isOpen}>
        {isOpen && (
          <Suspense>
            <WholeEntry promptId={promptId} listed={run} {...entry} />
          </Suspense>
        )}
      </article>
    </li>
  )
}

/** All of the run, whose texts the list may have the beginnings of. */
function WholeEntry({
  promptId,
  listed,
  ...entry
}: Pick<HistoryRowProps, 'promptId' | 'promptVersion' | 'onDelete' | 'onSaveTest'> & {
  listed: ListedPromptRun
}) {
  const known = isWhole(listed) ? listed : undefined
  const { data, error, refetch } = useQuery({
    ...promptRunQuery({ ...listed, promptId }),
    enabled: known === undefined,
  })
  const run = known ?? data
  if (run) return <HistoryEntry run={run} {...entry} />
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
  return <Skeleton className="m-3.5 h-40" />
}

function shorten(text: string): string {
  return shortenText(text, HISTORY_PROMPT_PREVIEW)
}

function summarize({ status, error, finishReason, ...run }: ListedPromptRun): string {
  const tokens = sumTokens(run)
  const isDone = status === 'completed'
  const missing = withoutValue(run.resolved)
  return [
    run.promptVersion !== null && `v${run.promptVersion}`,
    missing.length > 0 && `without ${missing.length === 1 ? missing[0] : `${missing.length} values`}`,
    status === 'failed' && describeFailure(error ?? '').title,
    status === 'cancelled' && 'Stopped',
    status === 'running' && 'Writing',
    run.durationMs !== null && `${formatSeconds(run.durationMs)} s`,
    isDone && (tokens === null ? 'Done' : `${formatCount(tokens)} tokens · ${formatCost(run.costUsd)}`),
    isDone && formatCached(run),
    isDone && cutWords({ finishReason }),
  ]
    .filter(Boolean)
    .join(' · ')
}
