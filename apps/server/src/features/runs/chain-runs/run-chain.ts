import { type Condition, finishOf, isCut, type StopRun } from '@catenary/contracts'
import {
  conditionText,
  evaluateCondition,
  extractVariables,
  namesInCondition,
  referenceOf,
  sumAll,
  sumKnown,
} from '@catenary/domain'
import { retryWhileUnavailable } from '../../../database/failures/retry-while-unavailable.ts'
import type { Context } from '../../../platform/context.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import { openPatterns } from '../../../platform/grading/patterns.ts'
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
  StoppedByStepError,
  stopReason,
  toFailure,
  WithheldValueError,
} from '../engine/run-ending.ts'
import { catchUp } from '../engine/run-leases.ts'
import { type Answered, answerBySchema } from '../engine/schema-answers/answer-by-schema.ts'
import { AnswerInvalidError } from '../engine/schema-answers/answer-invalid.ts'
import { cacheKeyOf, readReference, requireValues, typedValues } from '../engine/step-input.ts'
import { joinTemplates, type RenderedStep, renderStep, toAsked } from '../engine/step-templates.ts'
import { runsEnding } from '../engine/stop-runs.ts'
import { type ChainPlan, keepOutput } from './chain-plan.ts'
import type { RunRecord } from './run-records.ts'
import type { StepEnd, UnaskedStep } from './step-ends.sql.ts'

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
  for (const [index, step] of plan.steps.entries()) {
    if (index > 0 && (await yieldToOthers?.())) return undefined
    const start = performance.now()
    const underWay: RunningStep = { step, startedAt: new Date(), start }
    try {
      const end = await runStep(ctx, { ...toGo, underWay })
      if (end.answered) results.push(end.answered)
      plan.output = end.output ?? plan.output
      metrics?.chainStepEnded({ outcome: 'completed' }, secondsSince(start))
      if (end.endsRun) break
    } catch (caught) {
      const error = await goOn(ctx, { run, plan, record, underWay, error: caught })
      if (error === undefined) continue
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
  return { status: 'completed', answer: { ...toAnswer(results), text: plan.output } }
}

interface StepResult {
  answered?: Answered
  /** Undefined where it is skipped and has no default. */
  output?: string | undefined
  endsRun?: true
}

async function runStep(
  ctx: Context,
  { run, plan, record, underWay }: RunToGo & { underWay: RunningStep },
): Promise<StepResult> {
  const { step } = underWay
  run.begin({ position: step.position })
  await retry(ctx, () => catchUp(ctx))
  run.signal.throwIfAborted()
  const asked = step.onlyIf && (await askCondition(ctx, { run, plan, step, onlyIf: step.onlyIf }))
  if (asked) await takeIn(ctx, { plan, record, resolved: asked.resolved })
  if (asked && !asked.holds) return skip(ctx, { run, plan, record, underWay, ...asked })
  const rendered = await renderInput(ctx, { run, plan, step })
  const input = { ...rendered, resolved: { ...asked?.resolved, ...rendered.resolved } }
  underWay.input = input
  await takeIn(ctx, { plan, record, resolved: input.resolved })
  if (step.ends) return endHere(ctx, { run, plan, record, underWay, ends: step.ends, text: input.text })
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
  return { answered: result, output: result.text }
}

type StepUnderWay = Pick<RunToGo, 'run' | 'plan' | 'record'> & { underWay: RunningStep }

/** What a condition or text reads is known before it is used: whoever may not, learns nothing of it (D59, D69). */
async function takeIn(
  ctx: Context,
  { plan, record, resolved }: Pick<RunToGo, 'plan' | 'record'> & Pick<RenderedStep, 'resolved'>,
): Promise<void> {
  requireNoneWithheld(resolved)
  if (plan.mayUsePrivateValues || !usesPrivateValues(resolved)) return
  await retry(ctx, record.raise)
  plan.mayUsePrivateValues = true
}

/** Nothing where the run goes on as if the step were skipped; else what ends it. */
async function goOn(
  ctx: Context,
  { error, ...toGo }: StepUnderWay & { error: unknown },
): Promise<unknown> {
  const { run, underWay } = toGo
  const isOwn = error instanceof RunStopped || error instanceof WithheldValueError || error instanceof StoppedByStepError
  if (!underWay.step.goesOn || isOwn || run.signal.aborted) return error
  const { message, code } = toFailure({ error, signal: run.signal })
  if (code === 'internal') ctx.log.error({ err: error }, 'a step failed')
  try {
    await skip(ctx, {
      ...toGo,
      resolved: underWay.input?.resolved ?? {},
      skipReason: `It failed: ${message}`,
      failure: { error: message, errorCode: code, ...(error instanceof ModelError && error.used) },
    })
    return undefined
  } catch (cause) {
    return cause
  }
}

interface Skip extends StepUnderWay, Pick<RenderedStep, 'resolved'> {
  skipReason: string
  failure?: UnaskedStep['failure']
}

async function skip(
  ctx: Context,
  { run, plan, record, underWay, skipReason, resolved, failure }: Skip,
): Promise<StepResult> {
  const { step } = underWay
  const output = step.default ?? ''
  const end = { ...toStepEnd({ run, underWay }), resolved, aiResponse: output }
  const runOutput = isLast({ plan, step }) ? (step.default ?? plan.output) : null
  const store = () =>
    record.storeUnasked({ end, skipReason, output: runOutput, ...(failure && { failure }) })
  if (!(await retry(ctx, store))) throw new RunStopped('lost')
  keepOutput(plan, step, output)
  return { output: step.default }
}

async function endHere(
  ctx: Context,
  { run, record, underWay, ends, text }: StepUnderWay & { ends: StopRun; text: string },
): Promise<StepResult> {
  if (ends.outcome === 'failed') throw new StoppedByStepError(text)
  const end = { ...toStepEnd({ run, underWay }), aiResponse: text }
  const store = () => record.storeUnasked({ end, skipReason: null, output: text })
  if (!(await retry(ctx, store))) throw new RunStopped('lost')
  return { output: text, endsRun: true }
}

type StepToGo = Pick<RunToGo, 'run' | 'plan'> & { step: PlannedStep }

async function askCondition(
  ctx: Context,
  { onlyIf, ...toGo }: StepToGo & { onlyIf: Condition },
): Promise<{ holds: boolean; resolved: RenderedStep['resolved']; skipReason: string }> {
  const { run, plan } = toGo
  const { outputs, jsonOutputs } = plan
  const references = new Map(
    namesInCondition(onlyIf).map((ref) => [ref, referenceOf(ref, (name) => outputs.has(name))]),
  )
  const variables = await findValues(ctx, { ...toGo, template: [...references.values()].join(' ') })
  const resolved: RenderedStep['resolved'] = {}
  const read = (ref: string): string => {
    const source = references.get(ref) ?? ''
    const input = readReference({ source, variables, outputs, jsonOutputs })
    Object.assign(resolved, input.resolved)
    return input.text
  }
  for (const ref of references.keys()) read(ref)
  requireNoneWithheld(resolved)
  const holds = await evaluateCondition(onlyIf, {
    read,
    matches: openPatterns(ctx, { owner: plan.user.id, signal: run.signal }),
  })
  return { holds, resolved, skipReason: `It runs only if ${conditionText(onlyIf)}` }
}

async function renderInput(ctx: Context, { step, plan, run }: StepToGo): Promise<RenderedStep> {
  const templates = templatesOf(step)
  const { outputs, jsonOutputs } = plan
  const variables = await findValues(ctx, { step, plan, run, template: joinTemplates(templates) })
  const input = renderStep({ templates, variables, outputs, jsonOutputs })
  if (input.text.trim() === '' && !step.ends) throw new EmptyInputError('This step has no text to send')
  return input
}

/** The values of the variables that a text names, as far as this run may fill them in. */
async function findValues(
  ctx: Context,
  { step, plan, run, template }: StepToGo & { template: string },
): Promise<ReadonlyMap<string, KnownValue>> {
  const { user, values } = plan
  const used = extractVariables(template)
  const names = used.filter((name) => !values.has(name))
  const consent = consentExcept(step.withheld ?? [])
  const resolve = () => resolveVariables(ctx, { names, user, consent, signal: run.signal })
  const stored = names.length === 0 ? [] : await retry(ctx, resolve)
  const typed = typedValues({ used, values })
  const attach = () => attachTyped(ctx, { typed, ownerId: user.id })
  const given = typed.size === 0 ? typed : await retry(ctx, attach)
  return new Map<string, KnownValue>([...stored, ...given])
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
