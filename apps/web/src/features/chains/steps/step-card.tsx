import type { StepStatus } from '@catenary/contracts'
import { isHint, shortenText, stepTitle } from '@catenary/domain'
import { InfoIcon, MessageSquareTextIcon, TriangleAlertIcon } from 'lucide-react'
import { TemplateText } from '../../../components/template-text.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { firstPlainLine } from '../../../lib/text/plain-markdown.ts'
import { cn } from '../../../lib/utils.ts'
import { useModelLabel } from '../../model-settings/models.ts'
import { versionText } from '../../records/versions/version-text.ts'
import { ModelBadge } from '../../runs/model-badge.tsx'
import { ChainStepDetail } from '../run/chain-step-detail.tsx'
import { StepExcerpt } from '../run/chain-step-excerpt.tsx'
import { ChainStepStatus } from '../run/chain-step-status.tsx'
import { FromOutside } from '../run/from-outside.tsx'
import { itemCountsOf, mayRetryItems } from '../run/items/items-text.ts'
import { StepItems } from '../run/items/step-items.tsx'
import type { StepRun } from '../run/use-step-runs.ts'
import { WarningText } from '../warning-text.tsx'
import { FlowBadges } from './flow/flow-badges.tsx'
import { FlowLines } from './flow/loop-line.tsx'
import { KindBadges, KindLine, KindQuestion, kindOf } from './kinds.tsx'
import { jsonNamesOf, textOfStep } from './step-as-run.ts'
import type { StepItemProps, StepListeners } from './step-item-props.ts'
import { StepButtons, StepMenu } from './step-menu.tsx'
import { ActsAsBadge, SealedState } from './tool/sealed-state.tsx'

const PREVIEW_LENGTH = 200

const AT_WORK = 'border-accent shadow-[0_0_0_3px_color-mix(in_oklch,var(--accent)_18%,transparent)]'
const FRAMES: Partial<Record<StepStatus, string>> = {
  running: AT_WORK,
  asking: AT_WORK,
  failed: 'border-danger',
}

export interface StepCardProps extends StepItemProps {
  isDragging: boolean
  listeners: StepListeners
}

export function StepCard(props: StepCardProps) {
  const { step, warnings, run, isDragging } = props
  const isFolded = run !== undefined && hasNothingToSay(run) && warnings.every(isHint)
  return (
    <article
      aria-label={stepTitle(step)}
      className={cn(
        'group/step min-w-0 rounded-card border border-line bg-surface transition-colors hover:border-line-strong/60',
        // A link led here: pressed with a mouse, the title that it focuses shows no ring of its own.
        'outline-offset-2 has-[[data-step-title]:focus:not(:focus-visible)]:outline-3 has-[[data-step-title]:focus:not(:focus-visible)]:outline-ring',
        run && FRAMES[run.state.status],
        isDragging && 'border-accent! shadow-float',
      )}
    >
      {isFolded ? <FoldedStep {...props} run={run} /> : <WholeStep {...props} />}
    </article>
  )
}

/** Of a run that came to its answer, a step is one line. */
function FoldedStep({
  chain,
  step,
  canEdit,
  actions,
  index,
  count,
  run,
  listeners,
}: StepCardProps & { run: StepRun }) {
  const { run: whole, state, isOpen, toggle } = run
  const answer = whole.details?.steps[state.position]?.aiResponse ?? ''
  const text = state.skipReason ?? firstPlainLine(answer)
  return (
    <div
      {...listeners}
      className={cn('@container px-(--card-x)', listeners && 'cursor-grab active:cursor-grabbing')}
    >
      <div className="grid min-h-11 grid-cols-[minmax(0,1fr)_4.5rem_minmax(0,8rem)_7rem_auto] items-center gap-x-2 @max-[640px]:grid-cols-[minmax(0,1fr)_minmax(0,8rem)_7rem_auto] @max-[420px]:grid-cols-[minmax(0,1fr)_auto_auto] @max-[420px]:gap-x-1">
        <div className="flex min-w-0 items-baseline gap-x-3 @max-[420px]:flex-wrap">
          <StepTitle step={step} actions={actions} className="shrink-0 @max-[420px]:shrink" />
          {text !== '' && (
            <p
              dir="auto"
              className={cn(
                'min-w-0 truncate text-sm text-text-3',
                state.skipReason === null
                  ? '@max-[420px]:hidden'
                  : '@max-[420px]:basis-full @max-[420px]:pb-2 @max-[420px]:whitespace-normal @max-[420px]:wrap-anywhere',
              )}
            >
              {text}
            </p>
          )}
        </div>
        <div className="flex min-w-0 @max-[640px]:hidden">
          {step.model !== null && <ModelBadge model={step.model} className="min-w-0 shrink" />}
        </div>
        <div className="flex min-w-0 @max-[420px]:hidden">
          <OutputBadge step={step} />
        </div>
        <div className="flex justify-end">
          <ChainStepStatus
            step={state}
            takenFrom={whole.details?.steps[state.position]?.takenFrom}
            isBrief
            isOpen={isOpen}
            onToggle={toggle}
          />
        </div>
        {canEdit && (
          <div className="-mr-1.5 opacity-0 group-focus-within/step:opacity-100 group-hover/step:opacity-100 pointer-coarse:opacity-100">
            <StepMenu step={step} actions={actions} index={index} count={count} run={run} />
          </div>
        )}
      </div>
      {/* What keeps the next run from going on is no matter of this one. */}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 pb-(--card-y) empty:hidden">
        <SealedState chain={chain} step={step} />
      </div>
    </div>
  )
}

function WholeStep(props: StepCardProps) {
  const { chain, step, jsonOutputs, taken, warnings, waysOut, canEdit, actions, run, listeners } = props
  return (
    <>
      <div
        {...listeners}
        className={cn(
          'grid grid-cols-[minmax(0,1fr)] gap-[calc(var(--card-gap)-2px)] px-(--card-x) pt-[calc(var(--card-y)-4px)] pb-(--card-y)',
          listeners && 'cursor-grab active:cursor-grabbing',
        )}
      >
        <div className="flex min-h-7 items-center gap-2 max-md:flex-wrap max-md:gap-y-0.5">
          <StepTitle step={step} actions={actions} className="flex-1" />
          {run && (
            <div className="flex max-md:order-last max-md:basis-full">
              <ChainStepStatus
                step={run.state}
                waitingFor={run.run.waitingFor}
                counts={itemCountsOf(run.run, run.state)}
                takenFrom={run.run.details?.steps[run.state.position]?.takenFrom}
                isOpen={run.isOpen}
                onToggle={run.toggle}
              />
            </div>
          )}
          {canEdit && <StepButtons {...props} />}
        </div>
        <FlowLines step={step} onElse={canEdit ? () => actions.addElse(step) : undefined} />
        {run?.state.status !== 'asking' && run?.state.status !== 'unsure' && (
          <>
            <KindQuestion step={step} />
            <KindLine step={step} />
            <Preview step={step} jsonOutputs={jsonOutputs} />
          </>
        )}
        <div className="flex flex-wrap items-center gap-1.5">
          {step.model !== null && <ModelBadge model={step.model} />}
          {step.fallbackModel !== null && <FallbackBadge model={step.fallbackModel} />}
          <KindBadges step={step} />
          <ActsAsBadge chain={chain} step={step} />
          <OutputBadge step={step} />
          <FlowBadges step={step} />
          {step.promptId !== null && (
            <Badge>
              <MessageSquareTextIcon />
              Linked Prompt
            </Badge>
          )}
          <ReleaseBadge step={step} />
          {taken.map(({ name, from }) => (
            <Badge key={name} className="max-w-full min-w-0 shrink">
              takes
              <code className="min-w-0 truncate rounded-[4px] bg-out-soft px-1 text-2xs leading-[1.45] text-out">
                {name}
              </code>
              from {from + 1}
            </Badge>
          ))}
          {run && <FromOutside names={run.run.details?.steps[run.state.position]?.fromOutside} />}
        </div>
        <SealedState chain={chain} step={step} />
        {warnings.length > 0 && (
          <ul aria-label="Warnings" className="grid gap-0.5">
            {warnings.map((warning) => (
              <li
                key={`${warning.kind}.${warning.name}`}
                className={cn('flex gap-1.5 text-xs', isHint(warning) ? 'text-text-3' : 'text-warn')}
              >
                {isHint(warning) ? (
                  <InfoIcon className="mt-[3px] size-3.5 shrink-0" />
                ) : (
                  <TriangleAlertIcon className="mt-[3px] size-3.5 shrink-0" />
                )}
                <span className="min-w-0 wrap-anywhere">
                  <WarningText warning={warning} ways={waysOut(warning)} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {run && <RunItems run={run} />}
      {run && <StepExcerpt run={run} choices={step.ask?.choices} />}
      {run && hasDetail(run) && (
        <div className="mx-3.5 border-t border-dashed border-line pt-3 pb-3.5 wrap-anywhere">
          <ChainStepDetail
            key={`${run.run.id}.${run.state.status}`}
            run={run.run}
            running={run.running}
            step={run.state}
            worker={kindOf(step).worker}
            onOpenModels={run.onOpenModels}
            onRunFrom={run.onRunFrom}
          />
        </div>
      )}
    </>
  )
}

function RunItems({ run: { run, running, state } }: { run: StepRun }) {
  const counts = itemCountsOf(run, state)
  const { position } = state
  if (!counts) return null
  return (
    <div className="px-3.5 pb-3">
      <StepItems
        key={run.id}
        runId={run.id}
        position={position}
        counts={counts}
        step={run.details?.steps[position]}
        steps={run.details?.steps ?? []}
        isRunning={state.status === 'running'}
        onRetry={mayRetryItems(run, state) ? () => running.retryItems(run.id, position) : undefined}
        isRetrying={running.isResuming}
      />
    </div>
  )
}

function StepTitle({
  step,
  actions,
  className,
}: Pick<StepItemProps, 'step' | 'actions'> & { className: string }) {
  return (
    <h2 className={cn('min-w-0 text-md font-[570] tracking-[-0.01em]', className)}>
      <button
        type="button"
        data-step-title
        title={stepTitle(step)}
        dir="auto"
        onClick={() => actions.open(step)}
        className="block min-h-6 max-w-full truncate rounded-tag text-start pointer-coarse:min-h-11 pointer-coarse:min-w-11"
      >
        {stepTitle(step)}
      </button>
    </h2>
  )
}

function OutputBadge({ step }: Pick<StepItemProps, 'step'>) {
  if (step.outputVariableName === '') return null
  return (
    <Badge className="max-w-full min-w-0 shrink text-out">
      <span className="truncate leading-normal">Output: {step.outputVariableName}</span>
    </Badge>
  )
}

function FallbackBadge({ model }: { model: string }) {
  const label = useModelLabel()(model)
  return (
    <Badge title={`${label} answers if the model fails`} className="text-text-3">
      else <span className="max-w-40 truncate leading-normal">{label}</span>
    </Badge>
  )
}

function ReleaseBadge({ step: { promptLabel, promptVersion, linkedPrompt } }: Pick<StepItemProps, 'step'>) {
  if (promptLabel === null && promptVersion === null) return null
  const version = promptVersion ?? linkedPrompt?.version ?? null
  return (
    <Badge className="max-w-full min-w-0 shrink">
      <span className="truncate leading-normal">{versionText({ label: promptLabel, version })}</span>
    </Badge>
  )
}

/** The run came to its end: its answer went on as it should, or it wasn't needed. */
function hasNothingToSay({ run, state, isOpen }: StepRun): boolean {
  const { fallback } = run.details?.steps[state.position] ?? {}
  const failedItems = itemCountsOf(run, state)?.failed ?? 0
  return run.status === 'completed' && !isOpen && !fallback && failedItems === 0
}

/** A step that waits or was skipped has nothing to tell; a completed one tells when it is asked. */
function hasDetail({ run, state, isOpen }: StepRun): boolean {
  const { status, waitsFor } = state
  if (status === 'running' && itemCountsOf(run, state)) return waitsFor !== undefined
  return status !== 'waiting' && status !== 'skipped' && (status !== 'completed' || isOpen)
}

function Preview({ step, jsonOutputs }: Pick<StepItemProps, 'step' | 'jsonOutputs'>) {
  const content = textOfStep(step)
  if (content.trim() === '') {
    return step.model === null ? null : <p className="text-sm text-text-3">No content provided</p>
  }
  return (
    <TemplateText
      text={shortenText(content, PREVIEW_LENGTH)}
      outputs
      jsonOutputs={jsonNamesOf(step, jsonOutputs)}
      className="whitespace-normal"
    />
  )
}
