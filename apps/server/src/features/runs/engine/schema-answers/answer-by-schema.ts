import type { StructuredAnswer } from '@catenary/contracts'
import { type Context, onePerApp } from '../../../../platform/context.ts'
import { type CheckedAnswer, createAnswerChecks } from '../../../../platform/grading/answer-checks.ts'
import { addUsage } from '../../../../platform/models/add-usage.ts'
import { ModelError } from '../../../../platform/models/model-error.ts'
import type { ModelCall, ModelMessage } from '../../../../platform/models/model-types.ts'
import type { ActiveRun } from '../active-runs.ts'
import { callStepModel, type StepCall, type StepResult } from '../call-step-model.ts'
import { AnswerInvalidError } from './answer-invalid.ts'

const answerChecks = onePerApp(createAnswerChecks)

interface SchemaCall extends StepCall {
  /** Nobody reads the answer before it is known to match: its readers can't take back what they read. */
  isHeld: boolean
}

/** An answer, and how it matches its schema; null: none was asked of it, or a caller's only. */
export interface Answered extends StepResult {
  structured: StructuredAnswer | null
}

/**
 * The answer of a call: one by a schema of the step's own is checked, and asked for once more with what was wrong; both
 * calls count. Throws `AnswerInvalidError` where it does not match then either.
 */
export async function answerBySchema(ctx: Context, asked: SchemaCall): Promise<Answered> {
  const { call, run } = asked
  if (call.schema?.isOwn !== true)
    return { ...(await callStepModel(ctx, { ...asked, isHeld: false })), structured: null }
  const first = await callStepModel(ctx, asked)
  const check = await checkOne(ctx, asked, first)
  if (check.errors.length > 0) return repair(ctx, asked, { first, check })
  const isRepaired = check.text !== first.text
  if (isRepaired && !asked.isHeld) startOver(run)
  if (isRepaired || asked.isHeld) run.append(check.text)
  const errors = isRepaired
    ? [{ path: '', message: 'The answer was in a code fence, or surrounded by other text' }]
    : []
  return { ...first, text: check.text, structured: { isValid: true, isRepaired, errors, repairs: [] } }
}

async function repair(
  ctx: Context,
  asked: SchemaCall,
  { first, check: { errors, isUnchecked, isCallers } }: { first: StepResult; check: CheckedAnswer },
): Promise<Answered> {
  const { call, run, isHeld } = asked
  const wrong = { alias: call.alias, text: first.text, errors, isCallers }
  // A model that declined will decline again, and an answer that can't be checked can't be corrected.
  if (isUnchecked || first.finishReason === 'content_filter') {
    throw new AnswerInvalidError({ ...wrong, used: first, isRepaired: false })
  }
  if (!isHeld) startOver(run)
  const repaired = { ...call, ...repairTurns({ call, ...wrong }), alias: first.fallback?.model ?? call.alias }
  const second = await callStepModel(ctx, { ...asked, call: repaired }).catch((error: unknown) => {
    if (run.signal.aborted || call.signal?.aborted || !(error instanceof ModelError)) throw error
    const used = addUsage([error.used, first])
    throw new AnswerInvalidError({ ...wrong, used, isRepaired: false, repairFailure: error.message })
  })
  const both = { ...second, ...addUsage([first, second]) }
  const again = await checkOne(ctx, asked, second, first.text)
  if (again.errors.length > 0) {
    throw new AnswerInvalidError({
      ...wrong,
      text: second.text,
      errors: again.errors,
      isCallers: again.isCallers,
      used: both,
      isRepaired: true,
    })
  }
  if (isHeld) run.append(again.text)
  else if (again.text !== second.text) {
    startOver(run)
    run.append(again.text)
  }
  return {
    ...both,
    text: again.text,
    fallback: first.fallback ?? second.fallback,
    retries: first.retries + second.retries,
    firstTokenMs: first.durationMs + second.firstTokenMs,
    durationMs: first.durationMs + second.durationMs,
    structured: { isValid: true, isRepaired: true, errors, repairs: again.repairs },
  }
}

async function checkOne(
  ctx: Context,
  { call: { schema, userId, signal } }: SchemaCall,
  { text, finishReason }: StepResult,
  before?: string,
): Promise<CheckedAnswer> {
  const task = { schema: schema?.schema ?? {}, callerSchema: schema?.callerSchema, text, before }
  const checked = await answerChecks(ctx)({ owner: userId, signal }, task)
  if (finishReason !== 'length' || checked.errors.length === 0) return checked
  return {
    ...checked,
    isCallers: undefined,
    errors: [{ path: '', message: 'The answer was cut off at the model’s token limit' }],
  }
}

function startOver(run: ActiveRun): void {
  const { position = 0, retries = 0 } = run.step ?? {}
  run.begin({ position, retries })
}

function repairTurns({
  call,
  text,
  errors,
}: {
  call: ModelCall
  text: string
  errors: StructuredAnswer['errors']
}): { messages: ModelMessage[]; prompt: undefined } {
  const said = call.messages ?? [{ role: 'user', content: call.prompt }]
  const wrong = errors.map(({ message }) => `- ${message}`).join('\n')
  const content = `Your answer does not match the JSON schema:\n${wrong}\nAnswer again, with JSON that matches it and nothing else.`
  return {
    prompt: undefined,
    messages: [...said, { role: 'assistant', content: text }, { role: 'user', content }],
  }
}
