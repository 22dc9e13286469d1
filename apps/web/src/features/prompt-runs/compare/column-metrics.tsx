import {
  formatCost,
  formatCount,
  formatDifference,
  formatDuration,
  formatSeconds,
} from '../../runs/format-metrics.ts'
import { useNow } from '../../runs/use-now.ts'
import type { ColumnRun } from './column-run.ts'

export interface ColumnMetricsProps {
  column: ColumnRun
  baseline: ColumnRun | undefined
}

export function ColumnMetrics({ column, baseline }: ColumnMetricsProps) {
  const { phase, startedAt, isEstimated, tokens, costUsd, cached } = column
  const now = useNow(phase === 'writing')
  const duration = column.durationMs ?? (phase === 'writing' ? now - startedAt : null)
  const about = isEstimated ? '~' : ''
  const isComparable = phase === 'done' && baseline?.phase === 'done'
  const difference = (of: (run: ColumnRun) => number | null, format: (value: number) => string) =>
    isComparable ? formatDifference({ before: of(baseline), after: of(column), format }) : ''
  return (
    <dl className="flex flex-wrap gap-x-4 text-sm text-text-3 [&_b]:font-medium [&_b]:text-text">
      <Metric name="Time" difference={difference((run) => run.durationMs, formatDuration)}>
        {duration === null ? '–' : <b>{formatSeconds(duration)}</b>} s
      </Metric>
      <Metric name="Tokens" difference={difference((run) => run.tokens, inTokens)}>
        <b>{tokens === null ? '–' : `${about}${formatCount(tokens)}`}</b> tokens
      </Metric>
      <Metric name="Cost" difference={difference((run) => run.costUsd, formatCost)}>
        <b>{costUsd === null ? formatCost(null) : withAbout({ about, cost: formatCost(costUsd) })}</b>
        {costUsd === null && ' cost'}
      </Metric>
      {cached !== '' && (
        <Metric name="Cache" difference="">
          {cached}
        </Metric>
      )}
    </dl>
  )
}

/** A cost below the smallest that is shown takes no `about`. */
const withAbout = ({ about, cost }: { about: string; cost: string }) =>
  cost.startsWith('<') ? cost : about + cost

const inTokens = (count: number) => `${formatCount(count)} tokens`

interface MetricProps {
  name: string
  difference: string
  children: React.ReactNode
}

function Metric({ name, difference, children }: MetricProps) {
  return (
    <div className="min-w-0">
      <dt className="sr-only">{name}</dt>
      <dd>
        <span className="block">{children}</span>
        <span className="block min-h-[1lh] text-xs">{difference}</span>
      </dd>
    </div>
  )
}
