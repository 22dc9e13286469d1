import { finishOf, isCut } from '@catenary/contracts'
import { extractVariables, sumAll, sumKnown } from '@catenary/domain'
import { retryWhileUnavailable } from '../../../database/failures/retry-while-unavailable.ts'
import type { Context } from '../../../platform/context.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import { consentExcept } from '../../records/records.ts'
import { resolveVariables } from '../../variables/variables.ts'
import { type ActiveRun, RunStopped } from '../engine/active-runs.ts'
import { AnswerCutError, toAnswered } from '../engine/answer-cut.ts'
import { attachTyped, type KnownValue, loadAttachments, toKept } from '../engine/attachments.ts'
import { toStepRow } from '../engine/call-model.ts'
import { fallbacksOf } from '../engine/call-step-model.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { requireNoneWithheld, usesPrivateValues } from '../engine/private-values.ts'
import {
  EmptyInputError,
  type RunAnswer,
  type RunFailure,
  type RunOutcome,
  type RunUsage,
  stopReason,
  toFailure,
} from '../engine/run-ending.ts'
import { catchUp } from '../engine/run-leases.ts'
import { type Answered, answerBySchema } from '../engine/schema-answers/answer-by-schema.ts'
import { AnswerInvalidError } from '../engine/schema-answers/answer-invalid.ts'
import { cacheKeyOf, requireValues, typedValues } from '../engine/step-input.ts'
import { joinTemplates, type RenderedStep, renderStep, toAsked } from '../engine/step-templates.ts'
import { runsEnding } from '../engine/stop-runs.ts'
import { type ChainPlan, keepOutput } from './chain-plan.ts'
import type { RunRecord } from './run-records.ts'
import type { StepEnd } from './step-ends.sql.ts'

interface RunToGo {
  run: ActiveRun
  plan: ChainPlan
  record: RunRecord
  /** Asked before each step but the first: whether the run was released in favour of another. */
  yieldToOthers?: () => Promise<boolean>
}

interface RunningStep {
  step: PlannedStep
  startedAt: Date
  /** Monotonic, unlike the wall clock. */
  start: number
  input?: RenderedStep
}

/**
 * Takes a run through the steps that are left, each kept as it completes; resolves when its end is stored, or with
 * nothing when it goes on elsewhere; never rejects.
 */
export async function runChain(ctx: Context, toGo: RunToGo): Promise<RunOutcome | undefined> {
  const start = performance.now()
  const outcome = await runSteps(ctx, toGo)
  if (outcome !== undefined) ctx.metrics?.chainRunEnded({ outcome: outcome.status }, secondsSince(start))
  return outcome
}

async function runSteps(ctx: Context, toGo: RunToGo): Promise<RunOutcome | undefined> {
  const { log, metrics } = ctx
  const { run, plan, record, yieldToOthers } = toGo
  const results: Answered[] = []
  for (const step of plan.steps) {
    if (results.length > 0 && (await yieldToOthers?.())) return undefined
    const start = performance.now()
    const underWay: RunningStep = { step, startedAt: new Date(), start }
    try {
      results.push(await runStep(ctx, { ...toGo, underWay }))
      metrics?.chainStepEnded({ outcome: 'completed' }, secondsSince(start))
    } catch (error) {
      const failure = await endEarly(ctx, { run, record, error, underWay }).catch((cause: unknown) => {
        // Its lease is no longer extended: a worker takes it over, or ends it.
        log.error({ err: cause }, 'the end of a run could not be stored')
        return undefined
      })
      if (failure !== undefined) metrics?.chainStepEnded({ outcome: failure.status }, secondsSince(start))
      const { position, title } = step
      return failure && { ...failure, used: toUsage(results), step: { position, title } }
    }
  }
  return { status: 'completed', answer: toAnswer(results) }
}

async function runStep(
  ctx: Context,
  { run, plan, record, underWay }: RunToGo & { underWay: RunningStep },
): Promise<Answered> {
  const { step } = underWay
  run.begin({ position: step.position })
  await retry(ctx, () => catchUp(ctx))
  run.signal.throwIfAborted()
  const input = await renderInput(ctx, { run, plan, step })
  underWay.input = input
  requireNoneWithheld(input.resolved)
  if (!plan.mayUsePrivateValues && usesPrivateValues(input.resolved)) {
    await retry(ctx, record.raise)
    plan.mayUsePrivateValues = true
  }
  if (stopsIf(step.stopsWithoutValue, plan))
    requireValues({ template: joinTemplates(templatesOf(step)), ...input })
  const result = await callModelOf(ctx, { run, plan, step, input })
  if (isCut(result) && !isLast({ plan, step }) && stopsIf(step.stopsWhenCut, plan))
    throw new AnswerCutError({ alias: step.model, answer: result })
  const completed = {
    ...toStepEnd({ run, underWay, result }),
    ...toStepRow(result),
    fallback: result.fallback,
    structured: result.structured,
  }
  const store = () => record.store({ completed, isLast: isLast({ plan, step }) })
  // Another worker has the run by now.
  if (!(await retry(ctx, store))) throw new RunStopped('lost')
  keepOutput(plan, step, result.text)
  return result
}

type StepToGo = Pick<RunToGo, 'run' | 'plan'> & { step: PlannedStep }

async function renderInput(ctx: Context, { step, plan, run }: StepToGo): Promise<RenderedStep> {
  const templates = templatesOf(step)
  const { user, outputs, jsonOutputs, values } = plan
  const used = extractVariables(joinTemplates(templates))
  const names = used.filter((name) => !values.has(name))
  const consent = consentExcept(step.withheld ?? [])
  const resolve = () => resolveVariables(ctx, { names, user, consent, signal: run.signal })
  const stored = names.length === 0 ? [] : await retry(ctx, resolve)
  const typed = typedValues({ used, values })
  const attach = () => attachTyped(ctx, { typed, ownerId: user.id })
  const given = typed.size === 0 ? typed : await retry(ctx, attach)
  const known = new Map<string, KnownValue>([...stored, ...given])
  const input = renderStep({ templates, variables: known, outputs, jsonOutputs })
  if (input.text.trim() === '') throw new EmptyInputError('This step has no text to send')
  return input
}

const templatesOf = ({ template: content, systemPrompt, messages = [] }: PlannedStep) => ({
  content,
  systemPrompt,
  messages,
})

async function callModelOf(
  ctx: Context,
  { step, plan, input, run }: StepToGo & { input: RenderedStep },
): Promise<Answered> {
  const { model, temperature, maxTokens, position, stop, schema, effort } = step
  const load = () => loadAttachments(ctx, input)
  const said = input.placed.length === 0 ? input.text : await retry(ctx, load)
  // Someone may read the answer as it is written: a try of the last step that has begun to answer is not repeated.
  const isRead = plan.trigger === 'token' && isLast({ plan, step })
  return answerBySchema(ctx, {
    isHeld: isRead,
    run,
    position,
    fallbackModels: fallbacksOf(step),
    call: {
      alias: model,
      userId: plan.user.id,
      messages: [...input.messages, { role: 'user', content: said }],
      cacheKey: cacheKeyOf(step),
      signal: run.signal,
      retriesWhileUnavailable: true,
      repeatable: !isRead,
      ...(input.fixedLength !== undefined && { fixedLength: input.fixedLength }),
      ...(input.systemPrompt.trim() === '' ? {} : { system: input.systemPrompt }),
      ...(effort && { effort }),
      ...(temperature === null ? {} : { temperature }),
      ...(maxTokens === null ? {} : { maxTokens }),
      ...(stop && { stop }),
      ...(schema && { schema }),
      ...(plan.depth === null ? {} : { depth: plan.depth + 1 }),
    },
  })
}

interface EarlyEnd extends Pick<RunToGo, 'run' | 'record'> {
  error: unknown
  underWay: RunningStep
}

async function endEarly(
  ctx: Context,
  { run, record, error, underWay }: EarlyEnd,
): Promise<RunFailure | undefined> {
  const { log } = ctx
  const stopped = error instanceof RunStopped ? error.reason : stopReason(run.signal)
  if (stopped === 'lost') return undefined
  const used = error instanceof ModelError ? error.used : undefined
  const invalid = error instanceof AnswerInvalidError ? error : undefined
  const cut = error instanceof AnswerCutError ? error.answer : undefined
  const end = {
    ...toStepEnd({ run, underWay }),
    aiResponse: invalid?.text ?? cut?.text ?? run.text,
    structured: invalid?.structured ?? cut?.structured ?? null,
    ...(cut && { answered: toAnswered(cut) }),
    retries: run.step?.retries ?? 0,
    ...used,
  }
  if (stopped === 'server') return record.release(end)
  const failure = toFailure({ error, signal: run.signal })
  if (failure.code === 'internal') log.error({ err: error }, 'a step failed')
  await retry(ctx, () => record.end({ failure, end })).catch((cause: unknown) => {
    log.error({ err: cause }, 'the end of a step could not be stored')
    return retry(ctx, () => record.end({ failure, resolved: end.resolved }))
  })
  return failure
}

function retry<T>(ctx: Context, operation: () => Promise<T>): Promise<T> {
  return retryWhileUnavailable(operation, { closing: runsEnding(ctx) })
}

const secondsSince = (start: number) => (performance.now() - start) / 1000

/** Whether a run stops: at a step without all of its values (D44), or after one whose answer was cut (D71). */
function stopsIf(rule: 'unwatched' | 'always' | 'never' = 'unwatched', { trigger }: ChainPlan): boolean {
  return rule === 'always' || (rule === 'unwatched' && trigger !== 'manual')
}

const isLast = ({ plan, step }: { plan: ChainPlan; step: PlannedStep }) => step === plan.steps.at(-1)

function toAnswer(results: Answered[]): RunAnswer {
  const last = results.at(-1)
  return {
    text: last?.text ?? '',
    finishReason: finishOf(results),
    ...toUsage(results),
  }
}

function toUsage(results: Answered[]): RunUsage {
  return {
    inputTokens: sumAll(results.map((result) => result.inputTokens)),
    outputTokens: sumAll(results.map((result) => result.outputTokens)),
    cachedTokens: sumKnown(results.map((result) => result.cachedTokens)),
    costNanos: sumAll(results.map((result) => result.costNanos)),
  }
}

function toStepEnd({ run, underWay, result }: { run: ActiveRun; underWay: RunningStep; result?: Answered }) {
  const { step, startedAt, start, input } = underWay
  return {
    step,
    startedAt,
    systemPrompt: input?.systemPrompt ?? step.systemPrompt,
    messages: input?.messages.length ? input.messages : null,
    settings: input ? toAsked(step) : null,
    inputContent: input?.text ?? null,
    inputSegments: input?.segments ?? [],
    resolved: input?.resolved ?? {},
    attachments: toKept(input?.placed ?? []),
    aiResponse: result?.text ?? '',
    retries: result?.retries ?? 0,
    limitWaitMs: run.limitWaitMs,
    durationMs: Math.round(performance.now() - start),
  } satisfies StepEnd
}
