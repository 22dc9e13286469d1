import {
  type Chain,
  type ExecuteChainRequest,
  isCut,
  type RunDetails,
  type RunPresence,
  type RunSight,
  type RunStep,
  type SeenRun,
  type SeenRunState,
  type StepState,
  type WaitingFor,
} from '@catenary/contracts'
import { sumKnown, sumOfSteps } from '@catenary/domain'

export interface ChainRun {
  id: number
  status: SeenRun['status']
  steps: readonly StepState[]
  error: string | null
  canResume: boolean
  canStop: boolean
  sight: RunSight
  /** The whole run as it was when it was last fetched: at its beginning and at its end. */
  details: RunDetails | undefined
  presence: RunPresence | undefined
  /** The person's answer that it waits for. */
  waitingFor: WaitingFor | undefined
  /** Where its private values would have gone, had it not stopped. */
  wouldLeave: readonly string[]
  hasNoDetails: boolean
  /** It is still running, but its status can't be loaded, so this view is out of date. */
  isLost: boolean
}

/** The run's step for each step of the chain: by its output or, if that was renamed, by its position. */
export function positionsOf({
  steps,
  run,
}: {
  steps: Chain['steps']
  run: {
    steps: readonly Pick<StepState, 'position'>[]
    details: { steps: readonly Pick<RunStep, 'position' | 'outputVariableName'>[] } | undefined
  }
}): (number | undefined)[] {
  const known = run.details?.steps
  if (!known) return steps.map((_, index) => run.steps[index]?.position)
  const byOutput = new Map(known.map(({ outputVariableName, position }) => [outputVariableName, position]))
  const now = new Set(steps.map(({ outputVariableName }) => outputVariableName).filter(Boolean))
  return steps.map(({ outputVariableName: name }, index) => {
    const named = name === '' ? undefined : byOutput.get(name)
    if (named !== undefined) return named
    const placed = known[index]
    return placed && !now.has(placed.outputVariableName ?? '') ? placed.position : undefined
  })
}

export function runOf({
  id,
  state,
  seen,
  ...rest
}: {
  id: number
  state: SeenRunState | null
  seen: SeenRun | undefined
  hasNoDetails: boolean
  isLost: boolean
}): ChainRun {
  const known = state ?? seen
  const isPresence = seen?.sight === 'presence'
  return {
    id,
    details: isPresence ? undefined : seen,
    presence: isPresence ? seen : undefined,
    status: known?.status ?? 'running',
    steps: known?.steps ?? [],
    error: known?.error ?? null,
    canResume: known?.canResume ?? false,
    canStop: known?.canStop ?? true,
    sight: known?.sight ?? 'own',
    waitingFor: known?.waitingFor ?? undefined,
    wouldLeave: known?.wouldLeave ?? [],
    ...rest,
  }
}

/** The earlier run, and the step of the chain at which another one begins. */
export type RunFrom = NonNullable<ExecuteChainRequest['from']>
export type StartFrom = (from: RunFrom) => void

const PASSED: ReadonlySet<StepState['status']> = new Set(['completed', 'skipped'])
const ENDED: ReadonlySet<SeenRun['status']> = new Set(['completed', 'failed', 'cancelled'])

export interface EarlierRun extends Pick<ChainRun, 'status' | 'sight' | 'details'> {
  steps: readonly Pick<StepState, 'position' | 'status'>[]
}

/** Whether a new run can begin at this step of the chain with what an ended one has of those before it. */
export function mayRunFrom({
  steps,
  run,
  index,
}: {
  steps: Chain['steps']
  run: EarlierRun
  index: number
}): boolean {
  const isSeen = run.sight === 'own' || run.sight === 'texts'
  if (index < 1 || !isSeen || !ENDED.has(run.status)) return false
  const statuses = new Map(run.steps.map(({ position, status }) => [position, status]))
  // What a step that came later gives is known only once it is missing.
  return positionsOf({ steps, run })
    .slice(0, index)
    .every((position) => position === undefined || PASSED.has(statuses.get(position) ?? 'waiting'))
}

export function resultTextOf({ output, result }: Pick<RunDetails, 'output' | 'result'>): string {
  return result?.output || output || JSON.stringify(result, null, 2)
}

const BEFORE_THE_END: ReadonlySet<StepState['status']> = new Set(['waiting', 'running', 'asking', 'unsure'])

type Measured = Pick<RunStep, 'status' | keyof Metrics> & Partial<Pick<RunStep, 'model' | 'takenFrom'>>

export function sumOf(steps: readonly Measured[]): Metrics {
  // What asked no model costs nothing, which is no unknown; what was taken over was paid for in another run.
  const ran = steps.filter(
    ({ status, model, takenFrom }) =>
      !BEFORE_THE_END.has(status) && model !== null && takenFrom === undefined,
  )
  return {
    inputTokens: sumOfSteps(ran, 'inputTokens'),
    outputTokens: sumOfSteps(ran, 'outputTokens'),
    cachedTokens: sumKnown(ran.map((step) => step.cachedTokens)),
    costUsd: sumOfSteps(ran, 'costUsd'),
    savedUsd: sumKnown(ran.map((step) => step.savedUsd)),
    durationMs: sumOfSteps(ran, 'durationMs'),
  }
}

/** The step whose output is the run's: the last one that gave something. */
export function answerStepOf<Step extends Pick<RunStep, 'status' | 'aiResponse'>>(
  steps: readonly Step[],
): Step | undefined {
  return steps.findLast(
    ({ status, aiResponse }) => status === 'completed' || (status === 'skipped' && aiResponse),
  )
}

export function cutStepsOf(steps: readonly Pick<StepState, 'finishReason'>[]): number {
  return steps.filter(isCut).length
}

interface Metrics {
  inputTokens: number | null
  outputTokens: number | null
  cachedTokens: number | null
  costUsd: number | null
  savedUsd: number | null
  durationMs: number | null
}
