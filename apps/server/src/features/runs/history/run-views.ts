import {
  type ChainRunSummary,
  type InputSegment,
  type ItemCounts,
  isCut,
  type ListedRunStep,
  markCut,
  markCutRun,
  type RunAccessLevel,
  type RunDetails,
  type SeenChainRun,
  type SeenRunState,
  type StepState,
  type StepStatus,
  valueOrigins,
} from '@catenary/contracts'
import { nanosToUsd, sumKnown, sumOfSteps } from '@catenary/domain'
import type { LimitWait } from '../../../platform/models/model-types.ts'
import type { ActiveStep } from '../engine/active-runs.ts'
import { toWaitView } from '../engine/live-text.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import type { FromOutside } from './outside-names.ts'
import { toChainRunPresence, toPresenceState } from './present-runs.ts'
import { toOwnRating } from './prompt-run-views.ts'
import type { MetricsView, RunView } from './run-access.ts'
import { canResumeRun } from './runs.policy.ts'
import type { ChainRunRow, RunRow, RunStateRow, StepRow } from './runs.sql.ts'
import { shownError, shownReason } from './shown-runs.ts'

const noUsage = {
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  costNanos: null,
  savedNanos: null,
  durationMs: null,
}
const waiting = {
  status: 'waiting',
  error: null,
  errorCode: null,
  skipReason: null,
  retries: 0,
  limitWaitMs: null,
  finishReason: null,
  ...noUsage,
} as const
const NOT_REACHED = 'The run ended before it'
const nothingYet = {
  ...waiting,
  fallback: null,
  provider: null,
  modelId: null,
  inputContent: null,
  inputSegments: [],
  resolved: {},
  aiResponse: null,
  messages: null,
  settings: null,
  structured: null,
  attachments: null,
  firstTokenMs: null,
  startedAt: null,
  finishedAt: null,
  isClipped: false,
}

function toRights(
  { access: sight, canStop }: MetricsView,
  { kind, status, textsDeleted }: Pick<RunRow, 'kind' | 'status' | 'textsDeleted'>,
) {
  const isBroken = status === 'failed' || status === 'cancelled'
  return { sight, canStop, canResume: kind === 'chain' && canResumeRun(sight) && isBroken && !textsDeleted }
}

interface Subject {
  run: RunRow
  view: MetricsView
  underWay?: ActiveStep | undefined
}

interface StepOfRun extends Omit<StepRow, 'executionId' | 'attempt' | 'template' | 'status'> {
  id: number
  promptLabel: string | null
  status: StepStatus
  isClipped: boolean
}

export function toSteps({
  run,
  rows,
  plan,
}: {
  run: Pick<RunRow, 'id'>
  rows: (StepRow & Pick<StepOfRun, 'isClipped'>)[]
  plan: PlannedStep[] | null
}): StepOfRun[] {
  const ended = rows.map((row) => {
    const { id = run.id, promptLabel = null } = plan?.[row.position] ?? {}
    return { ...row, id, promptLabel }
  })
  const waiting = leftOf(plan ?? [], rows)
  return inOrder([...ended, ...waiting.map((step) => ({ promptLabel: null, ...step, ...nothingYet }))])
}

/** A step before others that have ended may have none: its items are run again. */
function leftOf<Step extends { position: number }>(
  all: Step[],
  ended: readonly { position: number }[],
): Step[] {
  const positions = new Set(ended.map(({ position }) => position))
  return all.filter(({ position }) => !positions.has(position))
}

const inOrder = <Step extends { position: number }>(steps: Step[]): Step[] =>
  steps.toSorted((a, b) => a.position - b.position)

export function toRunDetails({
  run,
  view,
  texts,
  steps,
  prompts,
  outside,
  underWay,
}: Subject & {
  texts: { output: string | null; userInput: string }
  steps: StepOfRun[]
  prompts: ReadonlySet<number>
  outside: FromOutside
}): RunDetails {
  const sums = {
    stepCount: steps.length,
    completedSteps: steps.filter(({ status }) => status === 'completed').length,
    cutSteps: steps.filter(isCut).length,
    inputTokens: sumOfSteps(steps, 'inputTokens'),
    outputTokens: sumOfSteps(steps, 'outputTokens'),
    cachedTokens: sumKnown(steps.map((step) => step.cachedTokens)),
    costNanos: sumOfSteps(steps, 'costNanos'),
    savedNanos: sumKnown(steps.map((step) => step.savedNanos)),
    durationMs: sumKnown(steps.map((step) => step.durationMs)),
  }
  const { output, userInput } = texts
  return {
    ...toSummaryFields({ run, view, sums }),
    kind: run.kind,
    chainId: run.chainId,
    chainName: run.chainName ?? steps[0]?.title ?? '',
    input: userInput,
    output,
    ...markCutRun(steps),
    result: run.status === 'completed' ? { output } : null,
    errorCode: run.errorCode,
    ...toWaits(run, view.access),
    ...(run.textsDeleted && { textsDeleted: true as const }),
    steps: withStatuses({ run, steps, underWay }).map((step) => ({
      ...toRunStep({ step, prompts, access: view.access }),
      ...toSource({ step, run, outside }),
    })),
  }
}

function toSource({
  step: { position },
  run: { takenFrom },
  outside,
}: {
  step: Pick<StepOfRun, 'position'>
  run: Pick<RunRow, 'takenFrom'>
  outside: FromOutside
}): Pick<ListedRunStep, 'fromOutside' | 'takenFrom'> {
  const fromOutside = outside.names.get(position) ?? []
  const isTaken = takenFrom !== null && position < takenFrom.position
  return {
    ...(fromOutside.length > 0 && { fromOutside }),
    ...(isTaken && { takenFrom: takenFrom.executionId }),
  }
}

export interface ListedRun {
  row: ChainRunRow
  view: RunView
}

export function toSeenChainRun({ row, view }: ListedRun): SeenChainRun {
  if (view.access === 'presence') return toChainRunPresence({ run: row.page, view })
  return toChainRunSummary({ row, view })
}

export function toChainRunSummary({
  row,
  view,
}: Pick<ListedRun, 'row'> & { view: MetricsView }): ChainRunSummary {
  const { page } = row
  const { title: _, ...sums } = row.of_steps
  return {
    ...toSummaryFields({ run: page, view, sums: { ...sums, stepCount: page.stepCount } }),
    chainId: page.chainId ?? 0,
    chainName: page.chainName ?? '',
    ...toOwnRating(page),
  }
}

export function toRunState({
  state: { run, steps },
  view,
  underWay,
}: {
  state: RunStateRow
  view: RunView
  underWay?: ActiveStep | undefined
}): SeenRunState {
  if (view.access === 'presence') return toPresenceState({ run, view })
  const { access } = view
  return {
    id: run.id,
    status: run.status,
    error: shownError({ access, ...run }),
    ...toRights(view, run),
    ...toWaits(run, access),
    steps: withStatuses({ run, steps: withWaiting({ run, steps }), underWay }).map(
      ({ startedAt, waitsFor, itemCounts, ...step }): StepState => ({
        ...toStepState({ step, access }),
        ...(startedAt ? { startedAt: startedAt.toISOString() } : {}),
        itemCounts,
        waitsFor: toWaitView(waitsFor),
      }),
    ),
  }
}

function withWaiting({ run, steps }: RunStateRow) {
  const all = Array.from({ length: run.stepCount }, (_, position) => ({ position, ...waiting }))
  return inOrder([...steps, ...leftOf(all, steps)])
}

interface Sums extends Record<keyof typeof noUsage, number | null> {
  stepCount: number
  completedSteps: number
  cutSteps: number
}

function toSummaryFields({
  run,
  view,
  sums: { costNanos, savedNanos, ...sums },
}: {
  run: Omit<RunRow, 'isHeld'>
  view: MetricsView
  sums: Sums
}) {
  const { access } = view
  return {
    ...sums,
    ...(sums.cutSteps > 0 && { cut: true as const }),
    id: run.id,
    chainVersion: run.chainVersion,
    chainLabel: run.chainLabel,
    status: run.status,
    trigger: run.trigger,
    token:
      access === 'own' && run.apiTokenId !== null ? { id: run.apiTokenId, name: run.tokenName ?? '' } : null,
    apiCall: access === 'figures' ? null : run.apiCall,
    executedAt: run.executedAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
    executedBy: run.executedBy,
    error: shownError({ access, ...run }),
    ...toRights(view, run),
    ...(run.waitingFor && { waitingFor: run.waitingFor }),
    ...(run.takenFrom && { from: toFrom(run.takenFrom) }),
    isSeenByEditors: view.isSeenByEditors,
    usesPrivateValues: run.privateValues !== false,
    sharing: run.sharing,
    costUsd: nanosToUsd(costNanos),
    savedUsd: nanosToUsd(savedNanos),
  }
}

const toFrom = ({ executionId, position, chainVersion }: NonNullable<RunRow['takenFrom']>) => ({
  executionId,
  position,
  chainVersion,
})

/** Where the values would have gone is their owner's to know. */
function toWaits(
  { waitingFor, wouldLeave }: Pick<RunRow, 'waitingFor' | 'wouldLeave'>,
  access: RunAccessLevel,
) {
  return { ...(waitingFor && { waitingFor }), ...(wouldLeave && access === 'own' && { wouldLeave }) }
}

type Placed = Pick<StepOfRun, 'position' | 'status' | 'retries' | 'skipReason'>

type StateOfStep = Placed & Omit<RunStateRow['steps'][number], 'status'>

/** A chain's step under way is written at its end only: until then it is the first that has not completed. */
function withStatuses<Step extends Placed>({
  run,
  steps,
  underWay,
}: {
  run: Pick<RunStateRow['run'], 'kind' | 'status' | 'isHeld' | 'waitingFor'>
  steps: Step[]
  underWay: ActiveStep | undefined
}): (Step & Pick<ShownRunning, 'startedAt' | 'waitsFor' | 'itemCounts'>)[] {
  if (run.status === 'completed') return steps.map(asNotReached)
  const { kind, waitingFor } = run
  if (run.status !== 'running' || (!run.isHeld && waitingFor === null))
    return kind === 'chain' ? steps.map(asWaiting) : steps
  const current = steps.findIndex(({ status }) => status !== 'completed')
  return steps.map((step, index) => {
    if (index !== current) return step
    if (waitingFor !== null) {
      const status = waitingFor.unsure ? 'unsure' : 'asking'
      return { ...step, status, startedAt: new Date(waitingFor.since) }
    }
    if (underWay?.position !== step.position) return { ...step, status: 'running' }
    const { retries, startedAt, text, items: itemCounts } = underWay
    const { waitsFor } = text
    return { ...step, status: 'running', retries, startedAt: new Date(startedAt), waitsFor, itemCounts }
  })
}

interface ShownRunning {
  startedAt?: Date | null
  waitsFor?: LimitWait | undefined
  itemCounts?: ItemCounts | undefined
}

/** A chain's step with that status was to be run again for some of its items. */
function asWaiting<Step extends Placed>(step: Step): Step {
  return step.status === 'running' ? { ...step, status: 'waiting' } : step
}

/** A step that ends the run leaves those after it without a turn. */
function asNotReached<Step extends Placed>(step: Step): Step {
  return step.status === 'waiting' ? { ...step, skipReason: NOT_REACHED } : step
}

function toStepState({ step, access }: { step: StateOfStep; access: RunAccessLevel }) {
  const isSkipped = step.skipReason !== null
  return {
    position: step.position,
    status: isSkipped ? ('skipped' as const) : step.status,
    error: shownError({ access, ...step }),
    skipReason: shownReason({ access, ...step }),
    retries: step.retries,
    limitWaitMs: step.limitWaitMs || undefined,
    finishReason: step.finishReason,
    ...markCut(step),
    inputTokens: step.inputTokens,
    outputTokens: step.outputTokens,
    cachedTokens: step.cachedTokens,
    costUsd: nanosToUsd(step.costNanos),
    savedUsd: nanosToUsd(step.savedNanos),
    durationMs: step.durationMs,
  }
}

function toRunStep({
  step,
  prompts,
  access,
}: {
  step: StepOfRun
  prompts: ReadonlySet<number>
  access: RunAccessLevel
}): ListedRunStep {
  const { startedAt, inputSegments, resolved, aiResponse } = step
  const completed = step.status === 'completed'
  return {
    ...toStepState({ step, access }),
    id: step.id,
    title: step.title,
    model: step.model === '' ? null : step.model,
    modelId: step.modelId,
    provider: step.provider,
    fallback: step.fallback,
    promptId: step.promptId !== null && prompts.has(step.promptId) ? step.promptId : null,
    promptLabel: step.promptLabel,
    promptVersion: step.promptVersion,
    outputVariableName: step.outputVariableName,
    executedAt: startedAt?.toISOString() ?? null,
    inputContent: step.inputContent,
    inputSegments: (inputSegments ?? []) as InputSegment[],
    resolved: valueOrigins.safeParse(resolved).data ?? {},
    attachments: step.attachments ?? [],
    systemPrompt: step.systemPrompt,
    messages: step.messages ?? undefined,
    settings: step.settings ?? undefined,
    aiResponse,
    structured: step.structured ?? undefined,
    outputVariableValue: completed && step.outputVariableName !== null && !step.isClipped ? aiResponse : null,
    errorCode: step.errorCode,
    ...(step.isClipped && { contentClipped: true as const }),
  }
}
