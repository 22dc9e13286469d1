import type { EvaluationEstimate } from '@catenary/contracts'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { errorReason } from '../../lib/errors.ts'
import { countText } from '../../lib/text/count-text.ts'
import { cn } from '../../lib/utils.ts'
import { useModelLabel } from '../model-settings/models.ts'
import { estimateText, targetName } from './evaluation-text.ts'

interface EstimatePanelProps {
  estimate: EvaluationEstimate | undefined
  error: unknown
  isOld: boolean
  hasTargets: boolean
}

export function EstimatePanel({ estimate, error, isOld, hasTargets }: EstimatePanelProps) {
  const labelOf = useModelLabel()
  if (!hasTargets) return <Note>Choose a version and a model to see the estimated cost.</Note>
  if (error) return <Note isError>{errorReason(error)}</Note>
  if (estimate === undefined) return <Skeleton className="h-24 rounded-control" />
  const { cells, reused, uncounted, targets, judge } = estimate
  return (
    <section
      aria-label="Estimate"
      aria-live="polite"
      className={cn(
        'grid gap-2 rounded-control border border-line bg-inset p-3 text-sm',
        isOld && 'opacity-60',
      )}
    >
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-md font-semibold">{estimateText(estimate)}</span>
        <span className="text-text-2">
          for {countText(cells, 'result')}
          {reused > 0 && `, ${reused} reused`}
          {judge && `, ${countText(judge.calls, 'judge call')} included`}
        </span>
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs text-text-2">
        {targets.map((target) => (
          <div key={targetName(target, labelOf)} className="contents">
            <dt>{targetName(target, labelOf)}</dt>
            <dd className="truncate text-text-3">
              {estimateText(target)}, {basisText(target)}
            </dd>
          </div>
        ))}
        {judge && (
          <div className="contents">
            <dt>Judge · {labelOf(judge.model)}</dt>
            <dd className="truncate text-text-3">{estimateText(judge)}, from the length of the texts</dd>
          </div>
        )}
      </dl>
      {uncounted > 0 && (
        <p className="text-xs text-warn">
          {countText(uncounted, 'result')} without a price do not count toward the cost limit.
        </p>
      )}
    </section>
  )
}

function basisText({ basis, runs }: EvaluationEstimate['targets'][number]): string {
  return basis === 'runs'
    ? `from the tokens of ${countText(runs, 'past run')}`
    : 'from the length of the texts'
}

function Note({ isError = false, children }: { isError?: boolean; children: string }) {
  return (
    <p
      role={isError ? 'alert' : undefined}
      className={cn(
        'rounded-control border border-line bg-inset p-3 text-sm',
        isError ? 'text-danger' : 'text-text-3',
      )}
    >
      {children}
    </p>
  )
}
