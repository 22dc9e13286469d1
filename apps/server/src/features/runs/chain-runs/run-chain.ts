import { finishOf, isCut, type StopRun } from '@catenary/contracts'
import { conditionText, shortenText, sumAll, sumKnown } from '@catenary/domain'
import type { Context } from '../../../platform/context.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import { type ActiveRun, RunStopped } from '../engine/active-runs.ts'
import { AnswerCutError, toAnswered } from '../engine/answer-cut.ts'
import { loadAttachments, toKept } from '../engine/attachments.ts'
import { toStepRow } from '../engine/call-model.ts'
import { fallbacksOf } from '../engine/call-step-model.ts'
import { asksModel, type PlannedStep } from '../engine/planned-step.ts'
import {
  AskRejectedError,
  EmptyInputError,
  type RunAnswer,
  type RunFailure,
  type RunOutcome,
  type RunUsage,
  runWaiting,
  StoppedByStepError,
  stopReason,
  toFailure,
  ValueWouldLeaveError,
  WithheldValueError,
} from '../engine/run-ending.ts'
import { catchUp } from '../engine/run-leases.ts'
import { type Answered, answerBySchema } from '../engine/schema-answers/answer-by-schema.ts'
import { AnswerInvalidError } from '../engine/schema-answers/answer-invalid.ts'
import { cacheKeyOf, requireValues } from '../engine/step-input.ts'
import { joinTemplates, type RenderedStep, renderStep, toAsked } from '../engine/step-templates.ts'
import { type ChainPlan, keepOutput } from './chain-plan.ts'
import { readGiven } from './given-answer.ts'
import { requireMayGo } from './sends.ts'
import type { StepEnd, UnaskedStep } from './step-ends.sql.ts'
import {
  findValues,
  holds,
  type RunningStep,
  type RunToGo,
  retry,
  type StepOfRunning,
  type StepToGo,
  takeIn,
} from './step-reads.ts'

/** Of why a step was skipped. */
const SKIP_REASON_MAX = 1_000

/**
 * Takes a run through the steps that are left, each kept as it completes; resolves when its end is stored, or with
 * nothing when it goes on elsewhere; never rejects.
 */
export async function runChain(ctx: Context, toGo: RunToGo): Promise<RunOutcome | undefined> {
  const start = performance.now()
  const outcome = await runSteps(ctx, toGo)
  if (outcome !== undefined && !isWaiting(outcome))
    ctx.metrics?.chainRunEnded({ outcome: outcome.status }, secondsSince(start))
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
      if (end.waits) {
        const { position, title } = step
        return { ...runWaiting, used: toUsage(results), step: { position, title } }
      }
      metrics?.chainStepEnded({ outcome: 'completed' }, secondsSince(start))
      if (end.endsRun) break
    } catch (caught) {
      const error = await goOn(ctx, { run, plan, record, underWay, error: caught })
      if (error === undefined) {
        metrics?.chainStepEnded({ outcome: 'failed' }, secondsSince(start))
        continue
      }
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
  /** Of a step that asked. */
  answered?: Answered
  endsRun?: true
  waits?: true
}

async function runStep(
  ctx: Context,
  { run, plan, record, underWay }: RunToGo & { underWay: RunningStep },
): Promise<StepResult> {
  const { step } = underWay
  run.begin({ position: step.position })
  await retry(ctx, () => catchUp(ctx))
  run.signal.throwIfAborted()
  const { onlyIf } = step
  if (onlyIf && !(await holds(ctx, { run, plan, record, underWay, onlyIf }))) {
    const skipReason = shortenText(`It runs only if ${conditionText(onlyIf)}`, SKIP_REASON_MAX)
    return skip(ctx, { run, plan, record, underWay, skipReason })
  }
  const rendered = await renderInput(ctx, { run, plan, step })
  const input = { ...rendered, resolved: { ...underWay.read, ...rendered.resolved } }
  underWay.input = input
  await takeIn(ctx, { plan, record, resolved: input.resolved })
  if (stopsIf(step.stopsWithoutValue, plan))
    requireValues({ template: joinTemplates(templatesOf(step)), ...input })
  if (step.ask) return ask(ctx, { run, plan, record, underWay, input, asked: { ...step, ask: step.ask } })
  if (step.ends) return endHere(ctx, { run, plan, record, underWay, ends: step.ends, text: input.text })
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
  plan.output = result.text
  return { answered: result }
}

/** Nothing where the run goes on as if the step were skipped; else what ends it. */
async function goOn(ctx: Context, { error, ...toGo }: StepOfRunning & { error: unknown }): Promise<unknown> {
  const { run, underWay } = toGo
  const isOwn =
    error instanceof RunStopped ||
    error instanceof WithheldValueError ||
    error instanceof ValueWouldLeaveError ||
    error instanceof AskRejectedError ||
    error instanceof StoppedByStepError
  if (!underWay.step.mayFail || isOwn || run.signal.aborted) return error
  const { message, code } = toFailure({ error, signal: run.signal })
  if (code === 'internal') ctx.log.error({ err: error }, 'a step failed')
  try {
    const cut = error instanceof AnswerCutError ? toAnswered(error.answer) : undefined
    await skip(ctx, {
      ...toGo,
      skipReason: shortenText(`It failed: ${message}`, SKIP_REASON_MAX),
      failure: { error: message, errorCode: code, ...(error instanceof ModelError && error.used), ...cut },
    })
    return undefined
  } catch (cause) {
    return cause
  }
}

interface Skip extends StepOfRunning {
  skipReason: string
  failure?: UnaskedStep['failure']
}

async function skip(
  ctx: Context,
  { run, plan, record, underWay, skipReason, failure }: Skip,
): Promise<StepResult> {
  const { step } = underWay
  const output = step.default ?? ''
  const { input } = underWay
  const kept = { systemPrompt: input?.systemPrompt ?? '', retries: run.step?.retries ?? 0 }
  const end = { ...toStepEnd({ run, underWay }), ...kept, aiResponse: output }
  const runOutput = isLast({ plan, step }) ? (step.default ?? plan.output) : null
  const store = () => record.storeUnasked({ end, skipReason, output: runOutput, ...(failure && { failure }) })
  if (!(await retry(ctx, store))) throw new RunStopped('lost')
  keepOutput(plan, step, output)
  plan.output = step.default ?? plan.output
  return {}
}

interface AskOfRunning extends StepOfRunning {
  input: RenderedStep
  asked: PlannedStep & Required<Pick<PlannedStep, 'ask'>>
}

/** The run waits for a person, unless what they would say is given. */
async function ask(
  ctx: Context,
  { run, plan, record, underWay, input, asked }: AskOfRunning,
): Promise<StepResult> {
  const { step } = underWay
  const { given } = step
  if (given !== undefined) {
    const { output, ends } = readGiven({ given, ask: asked.ask, text: input.text })
    if (ends === 'failed') throw new AskRejectedError('The answer that is given ends the run')
    const end = { ...toStepEnd({ run, underWay }), aiResponse: output }
    const endsRun = ends === 'completed' || isLast({ plan, step })
    const store = () => record.storeUnasked({ end, skipReason: null, output: endsRun ? output : null })
    if (!(await retry(ctx, store))) throw new RunStopped('lost')
    keepOutput(plan, step, output)
    plan.output = output
    return ends === 'completed' ? { endsRun: true } : {}
  }
  await requireMayGo(ctx, { plan, step: asked })
  if (!(await retry(ctx, () => record.ask({ step: asked, input })))) throw new RunStopped('lost')
  return { waits: true }
}

async function endHere(
  ctx: Context,
  { run, plan, record, underWay, ends, text }: StepOfRunning & { ends: StopRun; text: string },
): Promise<StepResult> {
  if (ends.outcome === 'failed') throw new StoppedByStepError(text)
  const end = { ...toStepEnd({ run, underWay }), aiResponse: text }
  const store = () => record.storeUnasked({ end, skipReason: null, output: text })
  if (!(await retry(ctx, store))) throw new RunStopped('lost')
  plan.output = text
  return { endsRun: true }
}

async function renderInput(ctx: Context, { step, plan, run }: StepToGo): Promise<RenderedStep> {
  const templates = templatesOf(step)
  const { outputs, jsonOutputs } = plan
  const variables = await findValues(ctx, { step, plan, run, template: joinTemplates(templates) })
  const input = renderStep({ templates, variables, outputs, jsonOutputs })
  if (input.text.trim() === '' && asksModel(step)) throw new EmptyInputError('This step has no text to send')
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
  const isRead = plan.trigger === 'token' && isLast({ plan, step }) && !step.mayFail
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
  const wouldLeave = error instanceof ValueWouldLeaveError ? error.destinations : undefined
  await retry(ctx, () => record.end({ failure, end, wouldLeave })).catch((cause: unknown) => {
    log.error({ err: cause }, 'the end of a step could not be stored')
    return retry(ctx, () => record.end({ failure, resolved: end.resolved, wouldLeave }))
  })
  return failure
}

/** It goes on after a person has answered. */
export const isWaiting = (outcome: RunOutcome): boolean =>
  outcome.status === 'failed' && outcome.code === runWaiting.code

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
    finishReason: last === undefined ? 'stop' : finishOf(results),
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
  const { step, startedAt, start, input, read } = underWay
  return {
    step,
    startedAt,
    systemPrompt: input?.systemPrompt ?? step.systemPrompt,
    messages: input?.messages.length ? input.messages : null,
    settings: input ? toAsked(step) : null,
    inputContent: input?.text ?? null,
    inputSegments: input?.segments ?? [],
    resolved: input?.resolved ?? read ?? {},
    attachments: toKept(input?.placed ?? []),
    aiResponse: result?.text ?? '',
    retries: result?.retries ?? 0,
    limitWaitMs: run.limitWaitMs,
    durationMs: Math.round(performance.now() - start),
  } satisfies StepEnd
}
