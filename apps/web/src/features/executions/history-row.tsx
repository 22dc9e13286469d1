import { HISTORY_PROMPT_PREVIEW, isWhole, type ListedPromptExecution } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { FlaskConicalIcon } from 'lucide-react'
import { lazy, Suspense, useId, useState } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { ModelBadge } from '../../components/model-badge.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { CUT } from '../../components/run/cut-badge.tsx'
import { formatCost, formatCount, sumTokens } from '../../components/run/figures.ts'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { promptRunQuery } from './executions.queries.ts'
import { describeFailure } from './run-failure.ts'

const HistoryEntry = lazy(() => import('./history-entry.tsx'))

const BADGES = { completed: 'ok', failed: 'danger', cancelled: 'warn', running: 'accent' } as const

export interface HistoryRowProps {
  promptId: number
  execution: ListedPromptExecution
  promptVersion: number
  isOwn: boolean
  onRunAgain: () => void
  onDelete: () => void
}

/** One run in a line; a click opens all of it. */
export function HistoryRow({ promptId, execution, isOwn, onRunAgain, ...entry }: HistoryRowProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const { status, model, executedPromptContent, provider, executedAt, executedBy } = execution
  return (
    <li className="border-t border-line first:border-t-0" data-execution-id={execution.id}>
      <div className="relative grid min-h-11 grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-2.5 px-3.5 hover:bg-hover/50 @max-md:grid-cols-[auto_minmax(0,1fr)_auto] @max-md:py-2">
        <span className="flex gap-1.5">
          <ModelBadge variant={BADGES[status]} model={model} />
          {provider === 'sandbox' && (
            <Badge variant="outline" title="Answered by the built-in sandbox" className="px-1">
              <FlaskConicalIcon />
              <span className="sr-only">sandbox</span>
            </Badge>
          )}
        </span>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-entry`}
          onClick={() => setIsOpen(!isOpen)}
          className="min-w-0 truncate py-2.5 text-left text-sm text-text-2 outline-none after:absolute after:inset-0 focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-accent/55 @max-md:py-0.5"
        >
          {shorten(executedPromptContent)}
        </button>
        <span className="text-sm text-text-3 @max-md:col-span-2 @max-md:row-start-2">
          {isOwn ? '' : `${executedBy} · `}
          {summarize(execution)} · <RelativeTime time={executedAt} />
        </span>
        <Button
          variant="ghost"
          size="sm"
          aria-label="Run again with these inputs"
          title="Run again with these inputs"
          onClick={onRunAgain}
          className="-mr-2.5 @max-md:col-start-3 @max-md:row-span-2 @max-md:row-start-1"
        >
          Run again
        </Button>
      </div>
      <div id={`${id}-entry`} hidden={!isOpen}>
        {isOpen && (
          <Suspense>
            <WholeEntry promptId={promptId} listed={execution} {...entry} />
          </Suspense>
        )}
      </div>
    </li>
  )
}

/** All of the run, whose texts the list may have the beginnings of. */
function WholeEntry({
  promptId,
  listed,
  ...entry
}: Pick<HistoryRowProps, 'promptId' | 'promptVersion' | 'onDelete'> & { listed: ListedPromptExecution }) {
  const known = isWhole(listed) ? listed : undefined
  const { data, error, refetch } = useQuery({
    ...promptRunQuery({ ...listed, promptId }),
    enabled: known === undefined,
  })
  const execution = known ?? data
  if (execution) return <HistoryEntry execution={execution} {...entry} />
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} className="py-6" />
  return <Skeleton className="m-3.5 h-40" />
}

/** The history shows so much of a prompt. */
function shorten(text: string): string {
  return text.length > HISTORY_PROMPT_PREVIEW ? `${text.slice(0, HISTORY_PROMPT_PREVIEW)}…` : text
}

/** What came of the run, in two or three words. */
function summarize({ status, error, finishReason, ...usage }: ListedPromptExecution): string {
  if (status === 'failed') return describeFailure(error ?? '').title
  if (status === 'cancelled') return 'Stopped'
  if (status === 'running') return 'Writing'
  const tokens = sumTokens(usage)
  const figures = tokens === null ? 'Done' : `${formatCount(tokens)} tokens · ${formatCost(usage.costUsd)}`
  return finishReason === 'length' ? `${figures} · ${CUT}` : figures
}
