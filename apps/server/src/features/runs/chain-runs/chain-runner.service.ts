import type { User } from '@catenary/contracts'
import { extractVariables, sumAll } from '@catenary/domain'
import type { Log } from '../../../platform/log/log.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import type { Models } from '../../../platform/models/models.ts'
import { retryWhileUnavailable } from '../../../retry-while-unavailable.ts'
import type { VariablesService } from '../../variables/variables.ts'
import { type ActiveRun, RunStopped } from '../engine/active-runs.ts'
import { toStepRow } from '../engine/call-model.ts'
import type { Engine } from '../engine/engine.service.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import {
  EmptyInputError,
  type RunAnswer,
  type RunFailure,
  type RunOutcome,
  type RunUsage,
  stopReason,
  toFailure,
} from '../engine/run-ending.ts'
import { renderStepInput, requireValues, type StepInput, typedValues } from '../engine/step-input.ts'
import { callStepModel, type StepResult } from './call-step-model.ts'
import type { RunRecord } from './run-records.service.ts'
import type { CompletedStep, StepEnd } from './step-ends.repository.ts'

/** What is left of a chain's run. */
export interface ChainPlan {
  /** Whose rights and variables count. */
  user: User
  /** Values of the double-brace references: the input, and the outputs so far. */
  outputs: Map<string, string>
  /** Values that take precedence over stored variables. */
  values: Map<string, string>
  steps: PlannedStep[]
  trigger: 'manual' | 'schedule' | 'token' | 'evaluation'
  /** How many calls of this server stand around it; null for a run that none began. */
  depth: number | null
}

export interface ChainRunnerDeps {
  engine: Pick<Engine, 'closing' | 'catchUp'>
  models: Models
  variables: Pick<VariablesService, 'resolve'>
  log: Log
  observe?: Pick<Metrics, 'chainRunEnded' | 'chainStepEnded'> | undefined
}

interface RunToGo {
  run: ActiveRun
  plan: ChainPlan
  record: RunRecord
  /** Asked before each step but the first: whether the run was given back, for another one's sake. */
  yieldToOthers?: () => Promise<boolean>
}

interface StepUnderWay {
  step: PlannedStep
  startedAt: Date
  /** The same by the clock that never jumps. */
  start: number
  input?: StepInput
}

export type ChainRunner = ReturnType<typeof createChainRunner>

/** Takes a run through its steps, each kept as it completes. */
export function createChainRunner({ engine, models, variables, log, observe }: ChainRunnerDeps) {
  const retry = <T>(operation: () => Promise<T>): Promise<T> => retryWhileUnavailable(operation, engine)

  async function renderInput({ step, plan, run }: RunToGo & { step: PlannedStep }): Promise<StepInput> {
    const { template: source } = step
    const { user, outputs, values } = plan
    const used = extractVariables(source)
    const names = used.filter((name) => !values.has(name))
    const resolve = () => variables.resolve({ names, user, signal: run.signal })
    const stored = names.length === 0 ? [] : await retry(resolve)
    const known = new Map([...stored, ...typedValues({ used, values })])
    const input = renderStepInput({ source, variables: known, outputs })
    if (input.text.trim() === '') throw new EmptyInputError('This step has no text to send')
    return input
  }

  function call({ step, plan, input, run }: RunToGo & { step: PlannedStep; input: StepInput }) {
    const { model, fallbackModel = null, systemPrompt, temperature, maxTokens, position, stop, schema } = step
    return callStepModel({
      models,
      run,
      ...{ position, fallbackModel },
      call: {
        alias: model,
        userId: plan.user.id,
        prompt: input.text,
        signal: run.signal,
        retriesWhileUnavailable: true,
        // Someone may read the answer as it is written: a try of the last step that has begun to answer is the last one.
        repeatable: !(plan.trigger === 'token' && isLast({ plan, step })),
        ...(systemPrompt.trim() === '' ? {} : { system: systemPrompt }),
        ...(temperature === null ? {} : { temperature }),
        ...(maxTokens === null ? {} : { maxTokens }),
        ...(stop && { stop }),
        ...(schema && { schema }),
        ...(plan.depth === null ? {} : { depth: plan.depth + 1 }),
      },
    })
  }

  /** Throws when the run is another worker's by now. */
  async function store({ plan, record, completed }: RunToGo & { completed: CompletedStep }): Promise<void> {
    const isStored = await retry(() => record.store({ completed, isLast: isLast({ plan, ...completed }) }))
    if (!isStored) throw new RunStopped('lost')
  }

  async function runStep({ underWay, ...toGo }: RunToGo & { underWay: StepUnderWay }): Promise<StepResult> {
    const { step } = underWay
    const { run, plan } = toGo
    run.begin({ position: step.position })
    await retry(engine.catchUp)
    run.signal.throwIfAborted()
    const input = await renderInput({ ...toGo, step })
    underWay.input = input
    if (stopsWithoutValues({ step, plan })) requireValues({ template: step.template, ...input })
    const result = await call({ ...toGo, step, input })
    await store({
      ...toGo,
      completed: { ...toStepEnd({ underWay, result }), ...toStepRow(result), fallback: result.fallback },
    })
    plan.outputs.set(step.outputVariableName, result.text)
    return result
  }

  /** Keeps why a run ended before its end, or leaves it; undefined where it goes on elsewhere. */
  async function endEarly({ run, record, error, underWay }: EarlyEnd): Promise<RunFailure | undefined> {
    const stopped = error instanceof RunStopped ? error.reason : stopReason(run.signal)
    if (stopped === 'lost') return undefined
    const used = error instanceof ModelError ? error.used : undefined
    const end = { ...toStepEnd({ underWay }), aiResponse: run.text, retries: run.step?.retries ?? 0, ...used }
    if (stopped === 'server') return record.release(end)
    const failure = toFailure({ error, signal: run.signal })
    if (failure.code === 'internal') log.error({ err: error }, 'a step failed')
    await retry(() => record.end({ failure, end })).catch((cause: unknown) => {
      log.error({ err: cause }, 'the end of a step could not be stored')
      return retry(() => record.end({ failure, resolved: end.resolved }))
    })
    return failure
  }

  async function runSteps(toGo: RunToGo): Promise<RunOutcome | undefined> {
    const { run, plan, record, yieldToOthers } = toGo
    const results: StepResult[] = []
    for (const step of plan.steps) {
      if (results.length > 0 && (await yieldToOthers?.())) return undefined
      const start = performance.now()
      const underWay: StepUnderWay = { step, startedAt: new Date(), start }
      try {
        results.push(await runStep({ ...toGo, underWay }))
        observe?.chainStepEnded({ outcome: 'completed' }, secondsSince(start))
      } catch (error) {
        const failure = await endEarly({ run, record, error, underWay }).catch((cause: unknown) => {
          // Its lease is no longer extended: a worker takes it over, or ends it.
          log.error({ err: cause }, 'the end of a run could not be stored')
          return undefined
        })
        if (failure !== undefined) observe?.chainStepEnded({ outcome: failure.status }, secondsSince(start))
        const { position, title } = step
        return failure && { ...failure, used: toUsage(results), step: { position, title } }
      }
    }
    return { status: 'completed', answer: toAnswer(results) }
  }

  /** Runs what is left; resolves when its end is stored, or with nothing when it goes on elsewhere; never rejects. */
  return async function runChain(toGo: RunToGo): Promise<RunOutcome | undefined> {
    const start = performance.now()
    const outcome = await runSteps(toGo)
    if (outcome !== undefined) observe?.chainRunEnded({ outcome: outcome.status }, secondsSince(start))
    return outcome
  }
}

const secondsSince = (start: number) => (performance.now() - start) / 1000

/** Whether the step is not sent without all of its values (D44). */
function stopsWithoutValues({ step, plan }: { step: PlannedStep; plan: ChainPlan }): boolean {
  const { stopsWithoutValue = 'unwatched' } = step
  return stopsWithoutValue === 'always' || (stopsWithoutValue === 'unwatched' && plan.trigger !== 'manual')
}

const isLast = ({ plan, step }: { plan: ChainPlan; step: PlannedStep }) => step === plan.steps.at(-1)

/** The last step's text, and what all steps took. */
function toAnswer(results: StepResult[]): RunAnswer {
  const last = results.at(-1)
  return {
    text: last?.text ?? '',
    finishReason: last?.finishReason ?? null,
    ...toUsage(results),
  }
}

function toUsage(results: StepResult[]): RunUsage {
  return {
    inputTokens: sumAll(results.map((result) => result.inputTokens)),
    outputTokens: sumAll(results.map((result) => result.outputTokens)),
    costNanos: sumAll(results.map((result) => result.costNanos)),
  }
}

interface EarlyEnd extends Pick<RunToGo, 'run' | 'record'> {
  error: unknown
  underWay: StepUnderWay
}

function toStepEnd({ underWay, result }: { underWay: StepUnderWay; result?: StepResult }) {
  const { step, startedAt, start, input } = underWay
  return {
    step,
    startedAt,
    inputContent: input?.text ?? null,
    inputSegments: input?.segments ?? [],
    resolved: input?.resolved ?? {},
    aiResponse: result?.text ?? '',
    retries: result?.retries ?? 0,
    durationMs: Math.round(performance.now() - start),
  } satisfies StepEnd
}
