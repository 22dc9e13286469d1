import type { ItemCounts, ListedRunStep, StepState } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { ArrowDownIcon, LockIcon, RotateCwIcon, StepForwardIcon } from 'lucide-react'
import { useState } from 'react'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { asSentence } from '../../../lib/text/as-sentence.ts'
import { countText } from '../../../lib/text/count-text.ts'
import { ByName } from '../../accounts/by-name.tsx'
import { AskPanel } from '../../asks/ask-panel.tsx'
import { destinationText, sendText } from '../../fills/send-text.ts'
import { sendsQuery } from '../../fills/sends.queries.ts'
import { useModelLabel, useModels } from '../../model-settings/models.ts'
import { formatSeconds } from '../../runs/format-metrics.ts'
import { LimitWaiting } from '../../runs/limit-waiting.tsx'
import { ResultViewer } from '../../runs/result-viewer.tsx'
import { useNow, useSince } from '../../runs/use-now.ts'
import { ChainRenderedInput } from './chain-rendered-input.tsx'
import type { ChainRun } from './chain-run.ts'
import { runQuery, useWholeStep } from './chain-runs.queries.ts'
import { ChainStepText, useStepText } from './chain-step-text.tsx'
import { itemCountsOf } from './items/items-text.ts'
import { type ChainRunning, isBusy } from './use-chain-run.ts'

export interface ChainStepDetailProps {
  run: ChainRun
  running: ChainRunning
  step: StepState
  /** Who takes their time while it runs. */
  worker?: string | undefined
  onOpenModels: (() => void) | undefined
  onRunFrom: (() => void) | undefined
}

/** What administrators alone can mend. */
const ADMIN_CODES = ['model_key', 'model_not_configured', 'model_forbidden']

/** What resuming does with a call, by the code of the failure. */
const REPEATS: Readonly<Record<string, string>> = {
  tool_failed: 'Resuming sends the call again.',
  tool_unsure: 'Resuming asks you again whether the call happened.',
}

type Panel = 'output' | 'input' | null

export function ChainStepDetail(props: ChainStepDetailProps) {
  const { run, running, step, worker = 'the model', onOpenModels, onRunFrom } = props
  const [open, setOpen] = useState<Panel>(step.status === 'completed' ? 'output' : null)
  const isWriting = useStepText({ texts: running.texts, position: step.position }) !== ''
  if (step.status === 'asking' || step.status === 'unsure')
    return run.waitingFor ? <AskPanel waiting={run.waitingFor} /> : null
  if (step.status === 'running') {
    if (isWriting && step.position === run.steps.length - 1) return <WrittenBelow />
    return (
      <ChainStepText texts={running.texts} position={step.position}>
        {step.waitsFor ? (
          <LimitWaiting wait={step.waitsFor} />
        ) : (
          <Waiting startedAt={step.startedAt} worker={worker} />
        )}
      </ChainStepText>
    )
  }
  const counts = itemCountsOf(run, step)
  const isBroken = step.status === 'failed' || step.status === 'cancelled'
  const details = run.details?.steps[step.position]
  const toggle = (panel: Panel) => ({
    'aria-expanded': open === panel,
    className: 'aria-expanded:bg-hover',
    onClick: () => setOpen(open === panel ? null : panel),
  })
  return (
    <div className="grid gap-2.5">
      {isBroken && (
        <p className="text-sm">
          {step.status === 'failed' && <FailedModel step={details} />}
          <strong className={step.status === 'failed' ? 'font-semibold text-danger' : 'font-semibold'}>
            {step.status === 'failed' ? asSentence(step.error ?? run.error ?? 'It failed') : 'Stopped.'}
          </strong>{' '}
          {ADMIN_CODES.includes(details?.errorCode ?? '') && (
            <>
              <ByName text="Ask an administrator." own="" />{' '}
            </>
          )}
          {run.canResume && REPEATS[details?.errorCode ?? '']} {keptStepsText(step.position)}
          {counts && ` ${keptItemsText(counts)}`}
        </p>
      )}
      {step.status === 'failed' && <WouldLeave run={run} running={running} />}
      <div className="flex flex-wrap items-center gap-2">
        {isBroken && run.canResume && run.wouldLeave.length === 0 && (
          <Button size="sm" onClick={() => running.resume(run.id)} pending={running.isResuming}>
            {!running.isResuming && <RotateCwIcon />}
            Resume from here
          </Button>
        )}
        {step.status === 'failed' && run.canResume && (
          <TryWithOther run={run} running={running} position={step.position} />
        )}
        {step.status === 'failed' && details?.model !== null && onOpenModels && (
          <Button variant="secondary" size="sm" onClick={onOpenModels}>
            Open models
          </Button>
        )}
        {!isBroken && (
          <Button variant="ghost" size="sm" {...toggle('output')}>
            Output
          </Button>
        )}
        {!counts && (
          <Button variant="ghost" size="sm" {...toggle('input')}>
            Rendered input
          </Button>
        )}
        {onRunFrom && !(isBroken && run.canResume) && (
          <Button variant="ghost" size="sm" disabled={isBusy(running)} onClick={onRunFrom}>
            <StepForwardIcon />
            Run from here
          </Button>
        )}
      </div>
      {open && <StepPanel runId={run.id} position={step.position} panel={open} />}
    </div>
  )
}

/** The run stopped before others would have seen its private values; its person lets them in one press (D89). */
function WouldLeave({
  run: { id, wouldLeave, canResume, details },
  running,
}: Pick<ChainStepDetailProps, 'run' | 'running'>) {
  const isAsked = wouldLeave.length > 0 && canResume
  const chainId = details?.chainId ?? null
  const { data: sends = [] } = useQuery({ ...sendsQuery(chainId ?? 0), enabled: isAsked && chainId !== null })
  if (!isAsked) return null
  const textOf = (destination: string) => {
    const known = sends.find((send) => send.destination === destination)
    return known ? sendText(known) : destinationText(destination)
  }
  return (
    <Banner role="note" aria-label="Private values" icon={<LockIcon className="self-start" />}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-1">
          <p>This run holds private values of yours, so it stopped before they left it. They would go to:</p>
          <ul className="grid gap-0.5 font-medium">
            {wouldLeave.map((destination) => (
              <li key={destination} className="wrap-anywhere">
                {textOf(destination)}
              </li>
            ))}
          </ul>
        </div>
        <Button size="sm" pending={running.isResuming} onClick={() => running.allow(id, wouldLeave)}>
          Allow and resume
        </Button>
      </div>
    </Banner>
  )
}

function WrittenBelow() {
  return (
    <Button
      variant="link"
      size="sm"
      onClick={() => document.getElementById('chain-answer')?.scrollIntoView({ block: 'nearest' })}
    >
      <ArrowDownIcon />
      Writing the answer
    </Button>
  )
}

function FailedModel({ step }: { step: ListedRunStep | undefined }) {
  const models = useModels()
  const labelOf = useModelLabel()
  if (!step || step.model === null) return null
  const id = step.modelId ?? models.find(({ alias }) => alias === step.model)?.modelId
  return (
    <span className="text-text-2">
      {labelOf(step.model)}
      {id && <code className="ml-1 text-xs">{id}</code>}:{' '}
    </span>
  )
}

function TryWithOther({
  run,
  running,
  position,
}: Pick<ChainStepDetailProps, 'run' | 'running'> & { position: number }) {
  const models = useModels()
  const failed = run.details?.steps[position]?.model
  const other = models.find(({ alias, configured }) => configured && alias !== failed)
  if (!failed || !other) return null
  return (
    <Button
      variant="secondary"
      size="sm"
      disabled={running.isResuming}
      onClick={() => running.resume(run.id, other.alias)}
    >
      Try with {other.label}
    </Button>
  )
}

/** A model that thinks for minutes is not broken: the clock keeps counting. */
function Waiting({ startedAt, worker }: Pick<StepState, 'startedAt'> & { worker: string }) {
  const since = useSince(startedAt)
  const now = useNow(true)
  return (
    <p className="text-sm text-text-3">
      Waiting for {worker} · {formatSeconds(now - since)} s
    </p>
  )
}

/** Fetches the run again: a step's answer is not known before it has ended. */
function StepPanel({
  runId,
  position,
  panel,
}: {
  runId: number
  position: number
  panel: 'output' | 'input'
}) {
  const { data, isError, isFetching } = useQuery(runQuery(runId))
  const steps = data?.steps ?? []
  const listed = steps.find((step) => step.position === position)
  const step = useWholeStep({ id: runId, step: listed })
  const text = panel === 'output' ? step?.aiResponse : step?.inputContent
  if (!data || !step || typeof text !== 'string') {
    const missing = panel === 'output' ? 'No response available' : 'No input content'
    const failed = isError ? 'Failed to load execution details' : missing
    return <p className="text-sm text-text-3">{isFetching || (listed && !step) ? 'Loading…' : failed}</p>
  }
  if (panel === 'input') return <ChainRenderedInput executionId={data.id} step={step} steps={steps} />
  return <ResultViewer title="Output" text={text} structured={step.structured} />
}

function keptStepsText(completed: number): string {
  if (completed === 0) return ''
  const steps = completed === 1 ? 'Step 1 is' : `Steps 1 ${completed === 2 ? 'and' : 'to'} ${completed} are`
  return `${steps} kept and will not be paid for again.`
}

function keptItemsText({ completed, skipped }: ItemCounts): string {
  const kept = completed + skipped
  return kept === 0 ? '' : `${countText(kept, 'item')} of this step ${kept === 1 ? 'is' : 'are'} kept too.`
}
