import type { EvaluationCell } from '@catenary/contracts'
import type { CellChange } from '@catenary/domain'
import {
  BanIcon,
  CheckIcon,
  CircleAlertIcon,
  CircleDashedIcon,
  LockIcon,
  type LucideIcon,
  XIcon,
} from 'lucide-react'
import { Spinner } from '../../components/ui/spinner.tsx'
import { cn } from '../../lib/utils.ts'
import { formatCost, formatDuration } from '../runs/format-metrics.ts'
import { isFailure } from './evaluation-rows.ts'
import { changeText } from './evaluation-text.ts'

const ICONS: Record<Exclude<EvaluationCell['status'], 'running'>, { Icon: LucideIcon; className: string }> = {
  waiting: { Icon: CircleDashedIcon, className: 'text-text-3' },
  passed: { Icon: CheckIcon, className: 'text-ok' },
  failed: { Icon: XIcon, className: 'text-danger' },
  error: { Icon: CircleAlertIcon, className: 'text-danger' },
  'not-run': { Icon: BanIcon, className: 'text-text-3' },
  private: { Icon: LockIcon, className: 'text-text-3' },
}

interface EvaluationCellViewProps {
  cell: EvaluationCell
  change: CellChange | null
  baselineVersion: number
}

export function EvaluationCellView({ cell, change, baselineVersion }: EvaluationCellViewProps) {
  const { status, reason, failing, durationMs, costUsd, reusedFrom } = cell
  const isPass = status === 'passed'
  const metrics = [
    durationMs === null ? null : formatDuration(durationMs),
    costUsd === null ? null : formatCost(costUsd),
    reusedFrom === null ? null : `from #${reusedFrom}`,
    failing > 1 ? `${failing} reasons` : null,
  ].filter((metric) => metric !== null)
  const figures = metrics.join(' · ')
  const mark = change !== null && (
    <span className={cn('ml-auto shrink-0 text-xs', CHANGES[change])}>
      {changeText(change, baselineVersion)}
    </span>
  )
  return (
    <span className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2 text-left text-sm">
      <span className="flex h-lh items-center">{iconOf(status)}</span>
      {isPass && figures !== '' ? (
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="sr-only">Pass</span>
          <span className="truncate text-text-2">{figures}</span>
          {mark}
        </span>
      ) : (
        <span
          title={reason ?? undefined}
          className={cn('truncate', isFailure(cell) ? 'font-medium text-danger' : 'text-text')}
        >
          {statusText(status, reason)}
        </span>
      )}
      {!isPass && (
        <span className="col-start-2 flex min-w-0 items-baseline gap-2 text-xs">
          <span className="truncate text-text-2">{figures}</span>
          {mark}
        </span>
      )}
    </span>
  )
}

const CHANGES: Record<CellChange, string> = {
  // Where a column is narrow, ground and edge say it.
  regression: 'text-danger sr-only @min-[13rem]:not-sr-only',
  fixed: 'text-ok',
  also: 'text-text-3 sr-only @min-[13rem]:not-sr-only',
}

export function statusText(status: EvaluationCell['status'], reason: string | null): string {
  if (status === 'passed') return 'Pass'
  if (status === 'waiting') return 'Waiting'
  if (status === 'running') return 'Running'
  if (status === 'private') return 'Private'
  return reason ?? (status === 'not-run' ? 'Not run' : 'Failed')
}

function iconOf(status: EvaluationCell['status']) {
  if (status === 'running') return <Spinner className="size-4 text-text-3" />
  const { Icon, className } = ICONS[status]
  return <Icon className={cn('size-4', className)} />
}
