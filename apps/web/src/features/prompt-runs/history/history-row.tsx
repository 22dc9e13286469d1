import { HISTORY_PROMPT_PREVIEW, isWhole, type ListedPromptRun } from '@catenary/contracts'
import { shortenText } from '@catenary/domain'
import { useQuery } from '@tanstack/react-query'
import { CopyIcon, FlaskConicalIcon, ListPlusIcon, ScrollTextIcon, Trash2Icon } from 'lucide-react'
import { Suspense, useId, useState } from 'react'
import { ErrorState } from '../../../components/error-state.tsx'
import { MoreMenu } from '../../../components/more-menu.tsx'
import { part } from '../../../components/part.tsx'
import { RelativeTime } from '../../../components/time/relative-time.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { DropdownMenuItem, DropdownMenuSeparator } from '../../../components/ui/dropdown-menu.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { firstPlainLine } from '../../../lib/text/plain-markdown.ts'
import { truncate } from '../../../lib/text/truncate.ts'
import { useTimeZone } from '../../../lib/time-zone.ts'
import { cn } from '../../../lib/utils.ts'
import { useModelLabel } from '../../model-settings/models.ts'
import { cutWords } from '../../runs/cut-badge.tsx'
import { formatCached, formatCost, formatCount, formatSeconds, sumTokens } from '../../runs/format-metrics.ts'
import { RatingMark } from '../../runs/rating/rating-mark.tsx'
import { promptRunQuery } from '../prompt-runs.queries.ts'
import { runName, withoutValue } from '../run.ts'
import { describeFailure } from '../run-failure.ts'
import { differencesOf } from './history-differences.ts'

const HistoryEntry = part(() => import('./history-entry.tsx'))

const DOTS = {
  completed: 'bg-ok',
  failed: 'bg-danger',
  cancelled: 'bg-warn',
  running: 'bg-accent',
} as const

export interface HistoryRowProps {
  promptId: number
  run: ListedPromptRun
  before: ListedPromptRun | undefined
  promptVersion: number
  isOwn: boolean
  isTicked: boolean
  /** Others are chosen already: every row shows its box. */
  isTicking: boolean
  /** Undefined once as many are chosen as fit. */
  onTick: (() => void) | undefined
  onRunAgain: (() => void) | undefined
  onTakeInputs: () => void
  /** Undefined without an answer. */
  onCopy: (() => void) | undefined
  /** Undefined for another person’s run. */
  onDelete: (() => void) | undefined
  onSaveTest: (() => void) | undefined
}

export function HistoryRow({ promptId, run, before, isOwn, ...props }: HistoryRowProps) {
  const { isTicked, isTicking, onTick, onRunAgain, onTakeInputs, onCopy, ...entry } = props
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const timeZone = useTimeZone()
  const named = runName({ run, timeZone })
  const { status, model, provider, executedAt, executedBy } = run
  const label = useModelLabel()(model)
  const hint = summarize(run)
  return (
    <li
      className="group/run rounded-control not-has-[[aria-expanded=true]]:hover:bg-hover/60 has-focus-visible:bg-hover/60"
      data-execution-id={run.id}
    >
      <div className="relative flex min-h-9 items-center gap-2.5 px-2.5 pointer-coarse:min-h-11 pointer-coarse:flex-wrap @max-md:flex-wrap @max-md:py-1.5">
        <label className="relative z-1 -m-2 flex p-2 pointer-coarse:-m-3.5 pointer-coarse:p-3.5">
          <span
            aria-hidden="true"
            className={cn(
              'pointer-events-none absolute inset-0 m-auto size-2 rounded-full group-hover/run:opacity-0 group-focus-within/run:opacity-0 pointer-coarse:opacity-0',
              isTicking && 'opacity-0',
              DOTS[status],
            )}
          />
          <input
            type="checkbox"
            aria-label={`Compare ${named}`}
            checked={isTicked}
            disabled={!onTick}
            onChange={() => onTick?.()}
            className={cn(
              'size-4 accent-accent',
              !isTicking &&
                'opacity-0 group-hover/run:opacity-100 group-focus-within/run:opacity-100 pointer-coarse:opacity-100',
            )}
          />
        </label>
        <span title={label} className="w-17 shrink-0 truncate text-sm text-text-2">
          {label}
        </span>
        {provider === 'sandbox' && (
          <span title="Answered by the built-in sandbox" className="-ml-1.5 shrink-0 text-text-3">
            <FlaskConicalIcon className="size-3.5" />
            <span className="sr-only">sandbox</span>
          </span>
        )}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-entry`}
          aria-describedby={`${id}-headline`}
          onClick={() => setIsOpen(!isOpen)}
          className="min-h-6 min-w-24 flex-1 truncate pointer-coarse:min-h-11 pointer-coarse:basis-3/5 @max-md:basis-3/5 text-left text-sm outline-none after:absolute after:inset-0 after:rounded-control focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-ring"
        >
          <span className="sr-only">
            <span>{shorten(run.executedPromptContent)}</span>, {named}
          </span>
          <Headline id={`${id}-headline`} run={run} before={before} />
        </button>
        {run.rating && <RatingMark rating={run.rating} />}
        <p
          title={hint}
          className="flex shrink-0 items-baseline gap-3 text-xs text-text-3 group-hover/run:opacity-0 group-has-focus-visible/run:opacity-0 group-has-[[aria-haspopup][aria-expanded=true]]/run:opacity-0 pointer-coarse:order-last pointer-coarse:ml-auto pointer-coarse:opacity-100! @max-md:order-last @max-md:ml-auto @max-md:opacity-100!"
        >
          {status === 'completed' && <span aria-hidden="true">{formatCost(run.costUsd)}</span>}
          <span className="sr-only">{hint} · </span>
          {!isOwn && (
            <span dir="auto" className="max-w-40 truncate">
              {executedBy}
            </span>
          )}
          <span className="text-right @md:min-w-22">
            <RelativeTime time={executedAt} />
          </span>
        </p>
        <div className="absolute right-0 z-1 flex opacity-0 group-hover/run:opacity-100 group-has-focus-visible/run:opacity-100 group-has-[[aria-haspopup][aria-expanded=true]]/run:opacity-100 pointer-coarse:static pointer-coarse:-ml-2.5 pointer-coarse:opacity-100 @max-md:static @max-md:-ml-2.5 @max-md:opacity-100">
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
          <RowMenu
            named={named}
            isOpen={isOpen}
            onToggle={() => setIsOpen(!isOpen)}
            onCopy={onCopy}
            onSaveTest={run.sight === 'figures' ? undefined : entry.onSaveTest}
            onDelete={entry.onDelete}
          />
        </div>
      </div>
      <article
        id={`${id}-entry`}
        aria-label={named}
        hidden={!isOpen}
        className="mb-2 overflow-hidden rounded-card border border-line"
      >
        {isOpen && (
          <Suspense>
            <WholeEntry promptId={promptId} listed={run} {...entry} />
          </Suspense>
        )}
      </article>
    </li>
  )
}

interface RowMenuProps extends Pick<HistoryRowProps, 'onCopy' | 'onSaveTest' | 'onDelete'> {
  named: string
  isOpen: boolean
  onToggle: () => void
}

function RowMenu({ named, isOpen, onToggle, onCopy, onSaveTest, onDelete }: RowMenuProps) {
  return (
    <MoreMenu of={named}>
      <DropdownMenuItem onSelect={onToggle}>
        <ScrollTextIcon />
        {isOpen ? 'Close' : 'Open'}
      </DropdownMenuItem>
      {onCopy && (
        <DropdownMenuItem onSelect={onCopy}>
          <CopyIcon />
          Copy answer
        </DropdownMenuItem>
      )}
      {onSaveTest && (
        <DropdownMenuItem onSelect={onSaveTest}>
          <ListPlusIcon />
          Save as test
        </DropdownMenuItem>
      )}
      {onDelete && (
        <>
          <DropdownMenuSeparator />
          <DropdownMenuItem variant="destructive" onSelect={onDelete}>
            <Trash2Icon />
            Delete this run
          </DropdownMenuItem>
        </>
      )}
    </MoreMenu>
  )
}

const VALUE_MAX = 80

function Headline({
  id,
  run,
  before,
}: {
  id: string
  run: ListedPromptRun
  before: ListedPromptRun | undefined
}) {
  const differences = differencesOf({ run, before })
  if (differences.length === 0) {
    return (
      <span id={id} aria-hidden="true" className={run.status === 'failed' ? 'text-danger' : 'text-text'}>
        {answerLine(run)}
      </span>
    )
  }
  return (
    <span id={id} aria-hidden="true" className="text-text">
      {differences.map(({ name, value }, index) => (
        <span key={name}>
          {index > 0 && <span className="text-text-3"> · </span>}
          <span className="text-ref">{name}</span> {truncate({ text: value, max: VALUE_MAX }) || 'empty'}
        </span>
      ))}
    </span>
  )
}

function answerLine({ status, textsDeleted, aiResponse, error }: ListedPromptRun): string {
  if (textsDeleted) return 'Its texts are no longer kept'
  if (status === 'failed') return describeFailure(error ?? '').title
  const none = status === 'running' ? 'No answer yet' : 'Stopped before its first word'
  return firstPlainLine(aiResponse) || (error ?? none)
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
