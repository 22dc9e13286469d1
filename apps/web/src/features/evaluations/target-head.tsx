import type { EvaluationTarget } from '@catenary/contracts'
import type { TargetSummary } from '@catenary/domain'
import { PinIcon } from 'lucide-react'
import { memo } from 'react'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { cn } from '../../lib/utils.ts'
import { formatCost, formatSeconds } from '../runs/format-metrics.ts'
import { countText, percent, percentRange } from './evaluation-text.ts'

interface TargetHeadProps {
  target: EvaluationTarget
  name: string
  summary: TargetSummary
  isBaseline: boolean
  onPin: (position: number) => void
}

export const TargetHead = memo(function TargetHead({
  target,
  name,
  summary,
  isBaseline,
  onPin,
}: TargetHeadProps) {
  const { rate, passed, counted, hidden, interval, costUsd, p50Ms, p95Ms, regressions } = summary
  return (
    <div className="flex h-full min-w-0 flex-col gap-1 px-3.5 py-2.5">
      <div className="flex min-w-0 items-center gap-1.5 overflow-hidden">
        <Button
          variant="ghost"
          size="icon-sm"
          aria-pressed={isBaseline}
          aria-label={`Compare the others with ${name}`}
          title={isBaseline ? 'The others are compared with this one' : 'Compare the others with this one'}
          onClick={() => onPin(target.position)}
          className={cn('-ml-1.5 size-6', isBaseline ? 'text-accent-text' : 'text-text-3')}
        >
          <PinIcon className={cn('size-3.5', isBaseline && 'fill-current')} />
        </Button>
        <span title={name} className="min-w-0 shrink-0 text-sm font-semibold">
          {name}
        </span>
        {target.labels.map((label) => (
          <Badge key={label} variant="accent" title={label} className="min-w-0 shrink">
            <span className="truncate leading-normal">{label}</span>
          </Badge>
        ))}
      </div>
      <p className="flex h-5 min-w-0 items-baseline gap-2 text-xs text-text-3">
        <span className="truncate font-mono">{target.modelId ?? target.model ?? ''}</span>
        {isBaseline && <span className="ml-auto">baseline</span>}
      </p>
      <p className="mt-1 flex items-baseline gap-2 whitespace-nowrap">
        <span className="text-xl font-semibold">{percent(rate)}</span>
        <span className="truncate text-sm text-text-2">{passText({ counted, passed, hidden })}</span>
        {counted > 0 && <span className="ml-auto text-xs text-text-3">{percentRange(interval)}</span>}
      </p>
      <Interval rate={rate} interval={interval} />
      <p className="mt-auto flex items-baseline gap-3 text-sm whitespace-nowrap">
        <span className="font-medium">{costUsd === null ? '–' : formatCost(costUsd)}</span>
        {p50Ms !== null && p95Ms !== null && (
          <span className="text-text-2">
            {formatSeconds(p50Ms)} <span className="text-text-3">/</span> {formatSeconds(p95Ms)} s
          </span>
        )}
        {regressions > 0 && (
          <span className="ml-auto text-danger">{countText(regressions, 'regression')}</span>
        )}
      </p>
    </div>
  )
})

function passText({ counted, passed, hidden }: Pick<TargetSummary, 'counted' | 'passed' | 'hidden'>) {
  if (counted === 0) return hidden === 0 ? 'no results yet' : `${hidden} private`
  return `${passed} of ${counted} pass${hidden === 0 ? '' : ` · ${hidden} private`}`
}

/** Between which rates the true one lies, 95 times of 100; the words beside it say the same. */
function Interval({ rate, interval: { low, high } }: Pick<TargetSummary, 'rate' | 'interval'>) {
  return (
    <div aria-hidden="true" className="relative h-3">
      <span className="absolute inset-x-0 top-1/2 h-0.5 -translate-y-1/2 rounded-full bg-line" />
      {rate !== null && (
        <>
          <span
            className="absolute top-1/2 h-2 -translate-y-1/2 border-x-2 border-accent before:absolute before:inset-x-0 before:top-1/2 before:h-0.5 before:-translate-y-1/2 before:bg-accent"
            style={{ left: `${low * 100}%`, right: `${(1 - high) * 100}%` }}
          />
          <span
            className="absolute top-1/2 size-2 -translate-1/2 rounded-full border border-surface bg-accent"
            style={{ left: `${rate * 100}%` }}
          />
        </>
      )}
    </div>
  )
}
