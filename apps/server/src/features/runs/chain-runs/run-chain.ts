import { finishOf, KIND_OF_STEP } from '@catenary/contracts'
import { asksEachItem, joinAnswers, sumAll, sumKnown } from '@catenary/domain'
import type { Context } from '../../../platform/context.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import { RunStopped } from '../engine/active-runs.ts'
import { AnswerCutError, toAnswered } from '../engine/answer-cut.ts'
import { kindOf } from '../engine/planned-step.ts'
import {
  AskRejectedError,
  CallRestsError,
  MissingSealedError,
  type RunAnswer,
  type RunFailure,
  type RunOutcome,
  type RunUsage,
  runWaiting,
  StoppedByStepError,
  stopReason,
  ToolUnsureError,
  TooManyItemsError,
  toFailure,
  ValueWouldLeaveError,
  WithheldValueError,
} from '../engine/run-ending.ts'
import { catchUp } from '../engine/run-leases.ts'
import { AnswerInvalidError } from '../engine/schema-answers/answer-invalid.ts'
import { isLast, keepEnded, keepOutput, outputWith } from './chain-plan.ts'
import type { StepResult } from './kinds/kind-in-run.ts'
import { KIND_IN_RUN } from './kinds/kinds.ts'
import type { RunPart } from './loop-state.ts'
import { prepareInput } from './render-input.ts'
import { type LoopToGo, openItems, runLoop } from './run-loop.ts'
import { requireAllowed, requireSealedValues } from './sealed-calls.ts'
import { requireMayGo } from './sends.ts'
import { shortReason, skipReasonOf } from './skip-reason.ts'
import { toStepEnd } from './step-end.ts'
import type { StepApart } from './step-ends.sql.ts'
import { holds, type RunningStep, type RunToGo, retry, type StepOfRunning } from './step-reads.ts'

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
  const results: RunPart[] = []
  for (const [index, step] of plan.steps.entries()) {
    const ended = plan.ended?.get(step.position)
    if (ended) {
      keepEnded(plan, { step, ended })
      continue
    }
    if (index > 0 && (await yieldToOthers?.())) return undefined
    const start = performance.now()
    const underWay: RunningStep = { step, startedAt: new Date(), start }
    try {
      const end = await runStep(ctx, { ...toGo, underWay })
      if (end.gaveWay) return undefined
      results.push(...(end.answered ?? []))
      if (end.waits) {
        const { position, title } = step
        return { ...runWaiting, used: toUsage(results), step: { position, title } }
      }
      metrics?.chainStepEnded({ outcome: 'completed' }, secondsSince(start))
      if (end.endsRun) break
    } catch (caught) {
      const error = await goOn(ctx, { run, plan, record, underWay, error: caught })
      results.push(...(underWay.loop?.asked ?? []))
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

async function runStep(
  ctx: Context,
  { underWay, ...toGo }: RunToGo & { underWay: RunningStep },
): Promise<StepResult> {
  const { run, plan, record } = toGo
  const { step } = underWay
  run.begin({ position: step.position })
  await retry(ctx, () => catchUp(ctx))
  run.signal.throwIfAborted()
  await requireSealedValues(ctx, plan, step)
  const { onlyIf, given } = step
  const forEach = given === undefined ? step.forEach : undefined
  const isOfItems = forEach !== undefined && (await openItems(ctx, { run, plan, record, underWay }))
  if (onlyIf && !isOfItems && !asksEachItem(onlyIf, forEach)) {
    if (!(await holds(ctx, { run, plan, record, underWay, onlyIf })))
      return skip(ctx, { run, plan, record, underWay, skipReason: skipReasonOf(onlyIf) })
  }
  await requireAllowed(ctx, step)
  const again = await KIND_IN_RUN[kindOf(step)].asksAnew?.(ctx, { plan, record, step })
  if (again) {
    if (!(await retry(ctx, () => record.ask(again)))) throw new RunStopped('lost')
    return { waits: true }
  }
  if (forEach) return runItems(ctx, { ...toGo, underWay, forEach })
  const input = await prepareInput(ctx, { run, plan, record, underWay })
  await requireMayGo(ctx, { plan, step })
  try {
    return await KIND_IN_RUN[kindOf(step)].take(ctx, { run, plan, record, underWay, input })
  } catch (error) {
    if (!(error instanceof ToolUnsureError)) throw error
    return doubt(ctx, { record, step, calls: [{ item: null, why: error.message, input }] })
  }
}

/** The run waits until its runner has said whether these calls happened. */
async function doubt(
  ctx: Context,
  { record, ...doubting }: Pick<RunToGo, 'record'> & Parameters<RunToGo['record']['doubt']>[0],
): Promise<StepResult> {
  if (!(await retry(ctx, () => record.doubt(doubting)))) throw new RunStopped('lost')
  return { waits: true }
}

async function runItems(ctx: Context, toGo: LoopToGo): Promise<StepResult> {
  const { run, plan, record, underWay, forEach } = toGo
  const { step } = underWay
  const loop = await runLoop(ctx, toGo)
  if (loop === undefined) return { gaveWay: true }
  if (loop.unsure.length > 0) {
    const waits = await doubt(ctx, { record, step, calls: loop.unsure })
    return { ...waits, answered: loop.asked }
  }
  const areJson = step.schema?.isOwn === true || KIND_OF_STEP[kindOf(step)].givesJson(step)
  const text = joinAnswers({ answers: loop.answers, result: forEach.result, areJson })
  const end = { ...toStepEnd({ run, underWay }), ...loop.row, aiResponse: text }
  const output = isLast({ plan, step }) ? outputWith({ plan, step, text }) : null
  const store = () => record.storeApart({ end, skipReason: null, output })
  if (!(await retry(ctx, store))) throw new RunStopped('lost')
  keepOutput(plan, step, text)
  plan.output = text
  return { answered: loop.asked }
}

/** What ends the run whatever a step says of failures. */
const NEVER_GONE_ON = [
  RunStopped,
  MissingSealedError,
  CallRestsError,
  WithheldValueError,
  ValueWouldLeaveError,
  AskRejectedError,
  StoppedByStepError,
  TooManyItemsError,
]

/** Nothing where the run goes on as if the step were skipped; else what ends it. */
async function goOn(ctx: Context, { error, ...toGo }: StepOfRunning & { error: unknown }): Promise<unknown> {
  const { run, underWay } = toGo
  const isOwn = NEVER_GONE_ON.some((kind) => error instanceof kind)
  if (!underWay.step.mayFail || isOwn || run.signal.aborted) return error
  const { message, code } = toFailure({ error, signal: run.signal })
  if (code === 'internal') ctx.log.error({ err: error }, 'a step failed')
  try {
    const cut = error instanceof AnswerCutError ? toAnswered(error.answer) : undefined
    await skip(ctx, {
      ...toGo,
      skipReason: shortReason(`It failed: ${message}`),
      failure: { error: message, errorCode: code, ...(error instanceof ModelError && error.used), ...cut },
    })
    return undefined
  } catch (cause) {
    return cause
  }
}

interface Skip extends StepOfRunning {
  skipReason: string
  failure?: StepApart['used']
}

async function skip(
  ctx: Context,
  { run, plan, record, underWay, skipReason, failure }: Skip,
): Promise<StepResult> {
  const { step } = underWay
  const output = step.default ?? ''
  const { input } = underWay
  const kept = { systemPrompt: input?.systemPrompt ?? '', retries: run.step?.retries ?? 0 }
  const end = { ...toStepEnd({ run, underWay }), ...kept, ...underWay.loop?.row, aiResponse: output }
  const text = step.default ?? plan.output
  const runOutput = isLast({ plan, step }) ? outputWith({ plan, step, text }) : null
  const store = () =>
    record.storeApart({ end, skipReason, output: runOutput, ...(failure && { used: failure }) })
  if (!(await retry(ctx, store))) throw new RunStopped('lost')
  keepOutput(plan, step, output)
  plan.output = step.default ?? plan.output
  return {}
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
    ...(underWay.loop?.row ?? { retries: run.step?.retries ?? 0 }),
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

function toAnswer(results: RunPart[]): Omit<RunAnswer, 'text'> {
  return {
    finishReason: results.length === 0 ? 'stop' : finishOf(results),
    ...toUsage(results),
  }
}

function toUsage(results: RunPart[]): RunUsage {
  return {
    inputTokens: sumAll(results.map((result) => result.inputTokens)),
    outputTokens: sumAll(results.map((result) => result.outputTokens)),
    cachedTokens: sumKnown(results.map((result) => result.cachedTokens)),
    costNanos: sumAll(results.map((result) => result.costNanos)),
  }
}
