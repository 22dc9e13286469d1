import type { ItemCounts, StepState, WaitingFor } from '@catenary/contracts'
import {
  ArrowDownToLineIcon,
  CheckIcon,
  ChevronDownIcon,
  CircleHelpIcon,
  CircleStopIcon,
  CornerDownRightIcon,
  HourglassIcon,
  ScissorsIcon,
  TriangleAlertIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useMinute } from '../../../components/time/relative-time.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { cn } from '../../../lib/utils.ts'
import { tookText } from '../../asks/ask-texts.ts'
import { waitedText } from '../../asks/waiting-line.tsx'
import { cutWords } from '../../runs/cut-badge.tsx'
import { formatCount, formatSeconds, sumTokens } from '../../runs/format-metrics.ts'
import { formatLeft } from '../../runs/format-wait.ts'
import { useNow, useSince } from '../../runs/use-now.ts'
import { endedOf } from './items/items-text.ts'

type ShownState = Omit<StepState, 'position'>

export function ChainStepStatus({
  step,
  counts,
  isOpen,
  isBrief = false,
  waitingFor,
  takenFrom,
  hasEnded = false,
  onToggle,
}: {
  step: ShownState
  /** Of a step that goes through a list. */
  counts?: ItemCounts | undefined
  isOpen?: boolean
  isBrief?: boolean
  /** Of a step that asks. */
  waitingFor?: WaitingFor | undefined
  /** The run that it was taken over from. */
  takenFrom?: number | undefined
  /** Whether its run has ended: an item that waits will not run. */
  hasEnded?: boolean
  onToggle?: () => void
}) {
  if (step.status === 'running') return <Running step={step} counts={counts} />
  if (step.status === 'asking') return <Asking waitingFor={waitingFor} />
  if (step.status === 'unsure') return <Unsure waitingFor={waitingFor} />
  if (step.status === 'completed' && onToggle) {
    return (
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="relative flex rounded-tag after:absolute after:-inset-1 pointer-coarse:after:-inset-3"
      >
        <Done step={step} counts={counts} isBrief={isBrief} takenFrom={takenFrom}>
          <ChevronDownIcon className={cn('-mr-0.5', isOpen && 'rotate-180')} />
        </Done>
      </button>
    )
  }
  if (step.status === 'completed')
    return <Done step={step} counts={counts} isBrief={isBrief} takenFrom={takenFrom} />
  if (step.status === 'failed') {
    return (
      <Badge variant="danger">
        <TriangleAlertIcon />
        {isBrief ? 'failed' : failedAfter(step)}
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
  return <Badge className="text-text-3">{hasEnded ? 'not run' : 'waiting'}</Badge>
}

interface DoneProps {
  step: ShownState
  counts: ItemCounts | undefined
  isBrief: boolean
  takenFrom: number | undefined
  children?: ReactNode
}

function Done({ step, counts, isBrief, takenFrom, children }: DoneProps) {
  if (takenFrom !== undefined) {
    return (
      <Badge title={`Taken over from execution #${takenFrom}`}>
        <ArrowDownToLineIcon />
        from #{takenFrom}
        {children}
      </Badge>
    )
  }
  return (
    <Ran step={step} counts={counts} isBrief={isBrief}>
      {children}
    </Ran>
  )
}

function Ran({ step, counts, isBrief, children }: Omit<DoneProps, 'takenFrom'>) {
  const cut = cutWords(step)
  const failed = counts?.failed ?? 0
  return (
    <Badge variant={cut || failed > 0 ? 'warn' : 'ok'}>
      {failed > 0 ? <TriangleAlertIcon /> : cut ? <ScissorsIcon /> : <CheckIcon />}
      {failed > 0 ? `done · ${failed} left out` : (cut ?? 'done')}
      {timeOf(step)}
      {!isBrief && tokensOf(step)}
      {children}
    </Badge>
  )
}

export function failedAfter({ retries }: Pick<StepState, 'retries'>): string {
  return retries === 0 ? 'failed' : `failed after ${retries + 1} attempts`
}

function Running({ step, counts }: { step: ShownState; counts: ItemCounts | undefined }) {
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
      running{counts ? ` · ${endedOf(counts)} of ${counts.all}` : triesOf(step)} ·{' '}
      {formatSeconds(now - since)} s
    </Badge>
  )
}

function Asking({ waitingFor }: { waitingFor: WaitingFor | undefined }) {
  const minute = useMinute()
  return (
    <Badge variant="accent" className="max-w-full min-w-0 shrink">
      <HourglassIcon />
      <span className="truncate leading-normal">
        {waitingFor ? `waiting for ${waitedText(waitingFor)}` : 'asking'}
      </span>
      {waitingFor && (
        <span className="shrink-0">· {tookText({ since: waitingFor.since, at: minute * 60_000 })}</span>
      )}
    </Badge>
  )
}

/** Nobody knows whether its call happened. */
function Unsure({ waitingFor }: { waitingFor: WaitingFor | undefined }) {
  const minute = useMinute()
  return (
    <Badge variant="warn">
      <CircleHelpIcon />
      unsure
      {waitingFor && ` · ${tookText({ since: waitingFor.since, at: minute * 60_000 })}`}
    </Badge>
  )
}

const triesOf = ({ retries }: ShownState): string => (retries > 0 ? ` · try ${retries + 1}` : '')

function timeOf({ durationMs }: ShownState): string {
  return durationMs === null ? '' : ` · ${formatSeconds(durationMs)} s`
}

function tokensOf(step: ShownState): string {
  const tokens = sumTokens(step)
  return tokens === null ? '' : ` · ${formatCount(tokens)} tokens`
}
