import { estimateTokens } from '@catenary/domain'
import { CheckIcon, FlaskConicalIcon, HourglassIcon, TriangleAlertIcon } from 'lucide-react'
import { Badge } from '../../components/ui/badge.tsx'
import { Spinner } from '../../components/ui/spinner.tsx'
import { useModelLabel } from '../model-settings/models.ts'
import { CutBadge } from '../runs/cut-badge.tsx'
import { formatCached, formatCost, formatCount, formatSeconds, sumTokens } from '../runs/format-metrics.ts'
import { formatWaited } from '../runs/format-wait.ts'
import { useNow } from '../runs/use-now.ts'
import type { Run } from './run.ts'

export function RunMetrics({ run, isSandbox }: { run: Run; isSandbox: boolean }) {
  const { reply, phase, startedAt, endedAt } = run
  const now = useNow(phase === 'writing')
  if (phase === 'idle') return null
  const tokens = reply ? sumTokens(reply) : null
  const estimate = run.inputTokens + estimateTokens(run.text).tokens
  const duration = reply?.durationMs ?? (endedAt ?? now) - startedAt
  return (
    <div className="flex flex-wrap items-center gap-x-3.5 gap-y-1 text-sm text-text-3 [&_b]:font-medium [&_b]:text-text">
      <PhaseBadge phase={phase} model={run.model} isWaiting={run.waitsFor !== null} />
      <CutBadge ended={reply} />
      <span>
        <b>{formatSeconds(duration)}</b> s
      </span>
      {(reply || run.text !== '' || phase === 'writing') && (
        <span title={tokens === null ? 'Estimated' : describeTokens(run)}>
          <b>
            {tokens === null && '~'}
            {formatCount(tokens ?? estimate)}
          </b>{' '}
          tokens
        </span>
      )}
      {reply && (
        <span title={reply.costUsd === null ? 'The price of this model is unknown' : 'Cost'}>
          <b>{formatCost(reply.costUsd)}</b>
          {reply.costUsd === null && ' cost'}
        </span>
      )}
      {reply && formatCached(reply) !== '' && <span>{formatCached(reply)}</span>}
      {reply && formatWaited(reply) !== '' && <span>{formatWaited(reply)}</span>}
      {isSandbox && (
        <Badge variant="warn">
          <FlaskConicalIcon />
          sandbox
        </Badge>
      )}
    </div>
  )
}

const PHASES = {
  writing: { variant: 'accent', label: 'Writing' },
  done: { variant: 'ok', label: 'Done' },
  stopped: { variant: 'warn', label: 'Stopped' },
  failed: { variant: 'danger', label: 'Failed' },
} as const

export function PhaseBadge({
  phase,
  model,
  isWaiting = false,
}: {
  phase: keyof typeof PHASES
  model: string | null
  isWaiting?: boolean
}) {
  const { variant, label } = PHASES[phase]
  const labelOf = useModelLabel()
  if (phase === 'writing' && isWaiting) {
    return (
      <Badge variant="warn" title={model ? labelOf(model) : undefined}>
        <HourglassIcon />
        Waiting
      </Badge>
    )
  }
  return (
    <Badge variant={variant} title={model ? labelOf(model) : undefined}>
      {phase === 'writing' && <Spinner className="size-3" />}
      {phase === 'done' && <CheckIcon />}
      {phase === 'failed' && <TriangleAlertIcon />}
      {label}
    </Badge>
  )
}

function describeTokens({ reply }: Run): string {
  return `${formatCount(reply?.inputTokens ?? null)} in, ${formatCount(reply?.outputTokens ?? null)} out`
}

export function StoppedNote({ text }: { text: string }) {
  return (
    <p className="text-sm text-text-3">
      {text === '' ? 'Stopped before the first word.' : 'Stopped. What was written is kept in the history.'}
    </p>
  )
}
