import type { StepState } from '@catenary/contracts'
import {
  CheckIcon,
  ChevronDownIcon,
  CircleStopIcon,
  CornerDownRightIcon,
  HourglassIcon,
  ScissorsIcon,
  TriangleAlertIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../../components/ui/badge.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { cn } from '../../../lib/utils.ts'
import { cutWords } from '../../runs/cut-badge.tsx'
import { formatCount, formatSeconds, sumTokens } from '../../runs/format-metrics.ts'
import { formatLeft } from '../../runs/format-wait.ts'
import { useNow, useSince } from '../../runs/use-now.ts'

export function ChainStepStatus({
  step,
  isOpen,
  isBrief = false,
  onToggle,
}: {
  step: StepState
  isOpen?: boolean
  isBrief?: boolean
  onToggle?: () => void
}) {
  if (step.status === 'running') return <Running step={step} />
  if (step.status === 'completed' && onToggle) {
    return (
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="relative flex rounded-tag after:absolute after:-inset-1 pointer-coarse:after:-inset-3"
      >
        <Done step={step} isBrief={isBrief}>
          <ChevronDownIcon className={cn('-mr-0.5', isOpen && 'rotate-180')} />
        </Done>
      </button>
    )
  }
  if (step.status === 'completed') return <Done step={step} isBrief={isBrief} />
  if (step.status === 'failed') {
    return (
      <Badge variant="danger">
        <TriangleAlertIcon />
        {failedAfter(step)}
      </Badge>
    )
  }
  if (step.status === 'cancelled') {
    return (
      <Badge>
        <CircleStopIcon />
        stopped
      </Badge>
    )
  }
  if (step.status === 'skipped') {
    return (
      <Badge className="border-dashed text-text-3">
        <CornerDownRightIcon />
        skipped
      </Badge>
    )
  }
  return <Badge className="text-text-3">waiting</Badge>
}

function Done({ step, isBrief, children }: { step: StepState; isBrief: boolean; children?: ReactNode }) {
  const cut = cutWords(step)
  return (
    <Badge variant={cut ? 'warn' : 'ok'}>
      {cut ? <ScissorsIcon /> : <CheckIcon />}
      {cut ?? 'done'}
      {timeOf(step)}
      {!isBrief && tokensOf(step)}
      {children}
    </Badge>
  )
}

export function failedAfter({ retries }: Pick<StepState, 'retries'>): string {
  return retries === 0 ? 'failed' : `failed after ${retries + 1} attempts`
}

function Running({ step }: { step: StepState }) {
  const since = useSince(step.startedAt)
  const now = useNow(true)
  if (step.waitsFor) {
    const left = formatLeft({ wait: step.waitsFor, now })
    return (
      <Badge variant="warn">
        <HourglassIcon />
        waiting for {step.waitsFor.vendor}
        {left !== '' && ` · ${left}`}
      </Badge>
    )
  }
  return (
    <Badge variant="accent">
      <Spinner className="size-3" />
      running{step.retries > 0 && ` · try ${step.retries + 1}`} · {formatSeconds(now - since)} s
    </Badge>
  )
}

function timeOf({ durationMs }: StepState): string {
  return durationMs === null ? '' : ` · ${formatSeconds(durationMs)} s`
}

function tokensOf(step: StepState): string {
  const tokens = sumTokens(step)
  return tokens === null ? '' : ` · ${formatCount(tokens)} tokens`
}
