import type { TokenRun } from '@catenary/contracts'
import { cn } from '../../lib/utils.ts'
import { formatSeconds } from '../runs/format-metrics.ts'

type Status = TokenRun['status']

const SHOWN_MAX = 40
/** In percent: a run of no time is still seen. */
const HEIGHT_MIN = 8

export const STATUS_COLOURS: Record<Status, string> = {
  running: 'bg-accent/40',
  completed: 'bg-accent',
  failed: 'bg-danger',
  cancelled: 'bg-line-strong',
}

export function RunStrip({ runs }: { runs: readonly TokenRun[] }) {
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
