import type { Evaluation } from '@catenary/contracts'
import { hasEnded } from '@catenary/domain'
import { formatTime } from '../../lib/text/format-time.ts'
import { useTimeZone } from '../../lib/time-zone.ts'
import { formatCost, formatDuration } from '../runs/format-metrics.ts'
import { countText, estimateText } from './evaluation-text.ts'

/** Its actual and expected cost, and who ran it when. */
export function EvaluationFooter({ evaluation }: { evaluation: Evaluation }) {
  const { status, cells, costUsd, uncounted, estimate, startedAt, finishedAt, startedBy } = evaluation
  const isKept = costUsd === null
  const reused = cells.filter((cell) => hasEnded(cell) && cell.reusedFrom !== null).length
  const timeZone = useTimeZone()
  const took = finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt)
  const facts = [
    isKept ? status : null,
    countText(cells.length, 'result'),
    reused === 0 ? null : `${reused} reused`,
    took === null ? null : formatDuration(took),
    formatTime({ time: startedAt, timeZone }),
    startedBy,
  ].filter((fact) => fact !== null)
  return (
    <footer className="flex shrink-0 flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-line px-6 py-2 text-sm text-text-2 max-md:px-3.5">
      <span>
        {isKept ? (
          `Uses private values: only ${startedBy} sees more.`
        ) : (
          <>
            This evaluation cost <span className="text-text">{formatCost(costUsd)}</span>
            {estimate !== null && `, estimated ${estimateText(estimate)}`}
            {uncounted !== null && uncounted > 0 && ` · ${countText(uncounted, 'result')} without a price`}
          </>
        )}
      </span>
      <span className="max-md:hidden">{facts.join(' · ')}</span>
    </footer>
  )
}
