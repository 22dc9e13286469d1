import { type Context, onePerApp } from '../../../platform/context.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import type { ModelCall, ModelMessage } from '../../../platform/models/model-types.ts'
import { ActiveRun, activeRuns } from '../engine/active-runs.ts'
import { toStepRow } from '../engine/call-model.ts'
import type { LiveText } from '../engine/live-text.ts'
import { reserveRunId } from '../engine/new-runs.ts'
import type { AnswerLimits, PlannedStep } from '../engine/planned-step.ts'
import { type RunFailure, type RunHandle, type RunOutcome, toFailure } from '../engine/run-ending.ts'
import { type Answered, answerBySchema } from '../engine/schema-answers/answer-by-schema.ts'
import { AnswerInvalidError } from '../engine/schema-answers/answer-invalid.ts'
import { runsEnding } from '../engine/stop-runs.ts'
import { beginRecord, type PromptRunRecord } from './prompt-run-records.ts'
import type { FinishedRun, NewPromptRun } from './prompt-runs.sql.ts'

type Outcome = RunOutcome<Answered>

export type PromptHandle = RunHandle<Answered> & { text: Pick<LiveText, 'read' | 'follow'> }

interface PromptRunPlan {
  record: Omit<NewPromptRun, 'id' | 'executedAt' | 'subscribers'>
  call: AnswerLimits &
    Pick<PlannedStep, 'schema'> &
    Pick<ModelCall, 'alias' | 'system' | 'effort' | 'temperature' | 'depth' | 'fixedLength' | 'cacheKey'> & {
      messages: ModelMessage[]
    }
  fallbackModels?: readonly string[]
  id?: number | undefined
  signal?: AbortSignal | undefined
}

const underWay = onePerApp(() => new Set<Promise<Outcome>>())

/**
 * Runs a prompt: a run of one step, which ends with its process. Resolves once it has an id; neither the model nor its
 * first text waits until it is recorded.
 */
export async function runPrompt(
  { app: ctx }: Context,
  { record: started, call, fallbackModels = [], id: reservedId, signal }: PromptRunPlan,
): Promise<PromptHandle> {
  const run = new ActiveRun({ attempt: 0, userId: started.userId })
  const text = run.begin({ position: 0 })
  const start = performance.now()
  const stop = signal === undefined ? run.signal : AbortSignal.any([run.signal, signal])
  const answer = answerBySchema(ctx, {
    isHeld: started.trigger === 'token',
    run,
    position: 0,
    call: { ...call, userId: started.userId, signal: stop },
    fallbackModels,
  })
  answer.catch(() => undefined)
  const id =
    reservedId ??
    (await reserveRunId(ctx).catch((error: unknown) => {
      run.stop('lost')
      throw error
    }))
  const active = activeRuns(ctx)
  active.add(id, run)
  if (runsEnding(ctx).aborted) run.stop('server')
  const record = beginRecord(ctx, { ...started, id, run })
  const all = underWay(ctx)
  const outcome = follow(ctx, { id, run, answer, record, start, signal: stop }).finally(() => {
    active.delete(id, run)
    all.delete(outcome)
  })
  all.add(outcome)
  return { id, text, outcome }
}

export async function drainPromptRuns(ctx: Context): Promise<void> {
  await Promise.all(underWay(ctx))
}

interface Following {
  id: number
  run: ActiveRun
  answer: Promise<Answered>
  record: PromptRunRecord
  /** As `performance.now()`. */
  start: number
  signal: AbortSignal
}

async function follow(
  { log }: Context,
  { id, run, answer, record, start, signal }: Following,
): Promise<Outcome> {
  const ending = () => ({
    aiResponse: run.text,
    retries: run.step?.retries ?? 0,
    limitWaitMs: run.limitWaitMs,
    durationMs: Math.round(performance.now() - start),
  })
  try {
    const result = await Promise.race([answer, record.unrecorded])
    await record.end({ ...ending(), ...toStepRow(result), status: 'completed', ...answerOf(result) })
    return { status: 'completed', answer: result }
  } catch (error) {
    const failure = toFailure({ error, signal })
    if (failure.code === 'internal') log.error({ err: error, executionId: id }, 'run failed')
    // A call that can't be recorded must not cost money.
    run.stop('lost')
    await record.end({ ...ending(), ...asRow(failure), ...keptOf(error) }).catch((cause: unknown) => {
      log.error({ err: cause, executionId: id }, 'the end of a run could not be stored')
    })
    return failure
  }
}

function asRow({ status, message, code }: RunFailure): Pick<FinishedRun, 'status' | 'error' | 'errorCode'> {
  return { status, error: message, errorCode: code }
}

const answerOf = ({ fallback, structured }: Answered) => ({ fallback, structured })

function keptOf(error: unknown): Partial<FinishedRun> {
  const used = error instanceof ModelError ? error.used : undefined
  if (!(error instanceof AnswerInvalidError)) return { ...used }
  const { text, structured } = error
  return { aiResponse: text, structured, ...used }
}
