import type { EvaluationTarget } from '@catenary/contracts'
import type { TargetSummary } from '@catenary/domain'
import { PinIcon } from 'lucide-react'
import { memo } from 'react'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { countText } from '../../lib/text/count-text.ts'
import { cn } from '../../lib/utils.ts'
import { formatCost, formatSeconds } from '../runs/format-metrics.ts'
import { percentRange } from './evaluation-text.ts'

/** The lines of a target's head, which the corner beside them names once. */
export const HEAD = 'flex h-full min-w-0 flex-col gap-1 px-3 py-2.5'
export const HEAD_ROWS = { name: 'h-6', model: 'h-5', passed: 'h-7', bar: 'mx-1 h-3' }

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
  const counts = passText({ counted, passed, hidden })
  return (
    <div className={cn(HEAD, 'group')}>
      <div className={cn(HEAD_ROWS.name, 'flex min-w-0 items-center justify-between gap-1.5')}>
        <span title={name} className="min-w-0 truncate text-sm font-semibold">
          {name}
        </span>
        {target.labels.map((label) => (
          <Badge key={label} variant="accent" title={label} className="max-w-max min-w-10 shrink-1000">
            <span className="truncate leading-normal">{label}</span>
          </Badge>
        ))}
      </div>
      <div className={cn(HEAD_ROWS.model, 'flex min-w-0 items-center gap-2 text-text-3')}>
        <span title={target.modelId ?? target.model ?? undefined} className="truncate font-mono text-xs">
          {target.modelId ?? target.model ?? ''}
        </span>
        {isBaseline && <span className="sr-only">baseline</span>}
        <Button
          variant="ghost"
          size="icon-sm"
          aria-pressed={isBaseline}
          aria-label={`Compare the others with ${name}`}
          title={isBaseline ? 'The others are compared with this one' : 'Compare the others with this one'}
          onClick={() => onPin(target.position)}
          className={cn(
            '-mr-1.5 ml-auto size-6',
            isBaseline
              ? 'text-accent-text'
              : 'text-text-3 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100',
          )}
        >
          <PinIcon className={cn('size-3.5', isBaseline && 'fill-current')} />
        </Button>
      </div>
      <p className={cn(HEAD_ROWS.passed, 'flex items-baseline gap-2 whitespace-nowrap')}>
        <span className="sr-only">{counts}</span>
        {counted === 0 ? (
          <span aria-hidden="true" className="text-sm text-text-2">
            {counts}
          </span>
        ) : (
          <span aria-hidden="true" className="text-xl font-semibold">
            {passed}
            <span className="font-normal text-text-2">/{counted}</span>
          </span>
        )}
        {counted > 0 && <span className="ml-auto text-xs text-text-2">{percentRange(interval)}</span>}
      </p>
      <Interval rate={rate} interval={interval} />
      <p className="flex min-h-5 flex-wrap items-baseline gap-x-1.5 text-xs whitespace-nowrap">
        <span className="font-medium">{costUsd === null ? '–' : formatCost(costUsd)}</span>
        {p50Ms !== null && p95Ms !== null && (
          <span title={`95 % within ${formatSeconds(p95Ms)} s`} className="text-text-2">
            {formatSeconds(p50Ms)} s<span className="sr-only">, p95 {formatSeconds(p95Ms)} s</span>
          </span>
        )}
        {hidden > 0 && counted > 0 && <span className="text-text-3">{hidden} private</span>}
        {regressions > 0 && (
          <span className="ml-auto font-medium text-danger">{countText(regressions, 'regression')}</span>
        )}
      </p>
    </div>
  )
})

function passText({ counted, passed, hidden }: Pick<TargetSummary, 'counted' | 'passed' | 'hidden'>) {
  if (counted === 0) return hidden === 0 ? 'no results yet' : `${hidden} private`
  return `${passed} of ${counted} pass${hidden === 0 ? '' : ` · ${hidden} private`}`
}

/** Between which rates the true one lies, 95 times of 100; the words above it say the same. */
function Interval({ rate, interval: { low, high } }: Pick<TargetSummary, 'rate' | 'interval'>) {
  return (
    <div aria-hidden="true" className={cn(HEAD_ROWS.bar, 'relative')}>
      <span className="absolute inset-x-0 top-1/2 h-[3px] -translate-y-1/2 rounded-full bg-line" />
      {rate !== null && (
        <>
          <span
            className="absolute top-1/2 h-1.5 -translate-y-1/2 rounded-full bg-accent/45"
            style={{ left: `${low * 100}%`, right: `${(1 - high) * 100}%` }}
          />
          <span
            className="absolute top-1/2 size-2.5 -translate-1/2 rounded-full border-2 border-surface bg-accent"
            style={{ left: `${rate * 100}%` }}
          />
        </>
      )}
    </div>
  )
}
