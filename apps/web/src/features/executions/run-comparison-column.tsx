import type { PromptExecution } from '@catenary/contracts'
import { ContentViewer } from '../../components/content-viewer/content-viewer.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { ComparedText } from '../../components/run/compared-text.tsx'
import {
  formatCost,
  formatCount,
  formatDifference,
  formatDuration,
  sumTokens,
} from '../../components/run/figures.ts'
import { Badge } from '../../components/ui/badge.tsx'
import { useModelLabel } from '../../lib/models.ts'
import { inputsThatDiffer } from './history-differences.ts'
import { describeFailure } from './run-failure.ts'

const STATES = {
  completed: { variant: 'ok', label: 'Done' },
  failed: { variant: 'danger', label: 'Failed' },
  cancelled: { variant: 'warn', label: 'Stopped' },
  running: { variant: 'accent', label: 'Writing' },
} as const

export interface ComparedRunProps {
  run: PromptExecution
  /** All that are compared. */
  runs: readonly PromptExecution[]
  /** What it is held against; undefined for the first. */
  baseline: PromptExecution | undefined
  isTinted: boolean
}

/** One run: its figures against the first one's, the inputs in which they differ, and its answer. */
export function ComparedRun({ run, runs, baseline, isTinted }: ComparedRunProps) {
  const label = useModelLabel()(run.model)
  const { variant, label: state } = STATES[run.status]
  const inputs = inputsThatDiffer(runs)
  const { aiResponse, error } = run
  return (
    <li
      aria-label={`Run #${run.id}`}
      className="flex min-h-0 min-w-0 flex-col overflow-hidden rounded-card border border-line bg-surface"
    >
      <div className="grid gap-2 border-b border-line px-3.5 py-3">
        <div className="flex min-w-0 items-center gap-2">
          <h3 className="min-w-0 truncate text-sm font-semibold tracking-normal">{label}</h3>
          {!baseline && <span className="truncate text-xs text-text-3">compared against</span>}
          <Badge variant={variant} className="ml-auto">
            {state}
          </Badge>
        </div>
        <p className="truncate text-xs text-text-3">
          #{run.id} · <RelativeTime time={run.executedAt} />
          {run.promptVersion !== null && ` · version ${run.promptVersion}`}
          {run.template !== null && ', edited copy'}
        </p>
        <dl className="grid grid-cols-3 gap-2">
          <Figure name="Time" of={(run) => run.durationMs} format={formatDuration} {...{ run, baseline }} />
          <Figure name="Tokens" of={sumTokens} format={inTokens} {...{ run, baseline }} />
          <Figure name="Cost" of={(run) => run.costUsd} format={formatCost} {...{ run, baseline }} />
        </dl>
      </div>
      {inputs.length > 0 && (
        <dl className="grid max-h-40 shrink-0 gap-x-2 gap-y-1 overflow-y-auto border-b border-line px-3.5 py-2.5 text-sm">
          {inputs.map(({ name, values }) => (
            <div key={name} className="grid gap-x-2">
              <dt className="text-xs text-ref">{name}</dt>
              <dd className="line-clamp-3 wrap-anywhere text-text">{values[runs.indexOf(run)] || 'empty'}</dd>
            </div>
          ))}
        </dl>
      )}
      <section
        ref={letFocus}
        aria-label={`Answer of run #${run.id}`}
        className="min-h-0 flex-1 overflow-y-auto px-3.5 py-3 -outline-offset-3"
      >
        {isTinted ? (
          <ComparedText text={aiResponse} other={(baseline ?? run).aiResponse} />
        ) : (
          <ContentViewer title="AI response" content={aiResponse} bare className="border-0 [&>div]:p-0" />
        )}
        {aiResponse === '' && !error && <p className="text-sm text-text-3">No answer.</p>}
        {error && (
          <p className="mt-2 text-sm wrap-anywhere text-danger">
            <b className="font-semibold">{describeFailure(error).title}.</b> {error}
          </p>
        )}
      </section>
      <div className="flex justify-end border-t border-line px-2 py-1">
        <CopyButton text={aiResponse} showLabel />
      </div>
    </li>
  )
}

const inTokens = (count: number) => `${formatCount(count)} tokens`

/** What scrolls is reached by keyboard. */
function letFocus(element: HTMLElement | null): void {
  if (element) element.tabIndex = 0
}

interface FigureProps {
  name: string
  of: (run: PromptExecution) => number | null
  format: (value: number) => string
  run: PromptExecution
  baseline: PromptExecution | undefined
}

function Figure({ name, of, format, run, baseline }: FigureProps) {
  const value = of(run)
  return (
    <div className="min-w-0">
      <dt className="sr-only">{name}</dt>
      <dd>
        <span className="block truncate text-sm font-medium">{value === null ? '–' : format(value)}</span>
        <span className="block min-h-[1lh] truncate text-xs text-text-3">
          {baseline && formatDifference({ before: of(baseline), after: value, format })}
        </span>
      </dd>
    </div>
  )
}
