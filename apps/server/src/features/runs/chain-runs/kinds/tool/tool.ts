import { setTimeout as sleep } from 'node:timers/promises'
import { answerOfTool, isSafeToRepeat, type StepTool, toolTextsOf } from '@catenary/contracts'
import { AddressTemplateError, destinationOfTool, isJson, readerOf, renderCall } from '@catenary/domain'
import { type Context, onePerApp } from '../../../../../platform/context.ts'
import { createAnswerChecks } from '../../../../../platform/grading/answer-checks.ts'
import { OutboundError } from '../../../../../platform/outbound/outbound-error.ts'
import { ToolCallError } from '../../../../../platform/outbound/tool-calls.ts'
import { RunStopped } from '../../../engine/active-runs.ts'
import type { PlannedStep } from '../../../engine/planned-step.ts'
import { MissingValueError, ToolFailedError, ToolUnsureError } from '../../../engine/run-ending.ts'
import { INPUT_MAX, resolvedIn, segmentsOf } from '../../../engine/step-input.ts'
import type { RenderedStep } from '../../../engine/step-templates.ts'
import { isLast, keepOutput } from '../../chain-plan.ts'
import { toStepEnd } from '../../step-end.ts'
import { retry } from '../../step-reads.ts'
import type { KindInRun, StepResult, StepToTake, StepValues } from '../kind-in-run.ts'
import { NO_COST } from '../no-cost.ts'
import { inRun, type Sending } from './tool-types.ts'
import type { Sent } from './type-in-run.ts'

export const TOOL: KindInRun = {
  planned: ({ tool }) => (tool ? { kind: 'tool', tool } : {}),
  // Where its answer is given, nothing is called.
  texts: (step) => (step.given === undefined ? toolTextsOf(toolOf(step)).join('\n') : ''),
  render: renderTool,
  takeItem: async (ctx, toGo) => ({ ...NO_COST, aiResponse: await callTool(ctx, toGo) }),
  destination: async (_, { step }) => destinationOfTool(toolOf(step)),
  take,
}

function toolOf({ tool }: PlannedStep): StepTool {
  if (tool === undefined) throw new Error('A step calls a service, and its plan does not say which')
  return tool
}

const NOTHING: RenderedStep = {
  text: '',
  segments: [],
  resolved: {},
  placed: [],
  systemPrompt: '',
  messages: [],
  fixedLength: undefined,
}

function renderTool(step: PlannedStep, { variables, outputs, jsonOutputs }: StepValues): RenderedStep {
  if (step.given !== undefined) return NOTHING
  const tool = toolOf(step)
  const source = toolTextsOf(tool).join('\n')
  const values = new Map<string, string>()
  for (const [name, { value, attachment }] of variables) {
    if (attachment) throw new MissingValueError(`$<${name}> is a file, which can’t be sent to a service`)
    if (value !== null) values.set(name, value)
  }
  const read = readerOf({ variables: values, outputs, jsonOutputs })
  try {
    const { shown, call } = renderCall(tool, { syntax: { outputs: true, jsonOutputs }, read })
    const text = shown.map((piece) => piece.text).join('')
    if (text.length > INPUT_MAX) throw new ToolFailedError('With its values the call is too long to send')
    return {
      text,
      segments: segmentsOf(shown),
      resolved: resolvedIn({ source, variables }),
      placed: [],
      systemPrompt: '',
      messages: [],
      fixedLength: undefined,
      call,
    }
  } catch (error) {
    throw error instanceof AddressTemplateError ? new ToolFailedError(error.message) : error
  }
}

async function take(ctx: Context, toGo: StepToTake): Promise<StepResult> {
  const { run, plan, record, underWay } = toGo
  const { step } = underWay
  const text = step.given ?? (await callTool(ctx, toGo))
  const end = { ...toStepEnd({ run, underWay }), aiResponse: text }
  const output = isLast({ plan, step }) ? text : null
  if (!(await retry(ctx, () => record.storeApart({ end, skipReason: null, output }))))
    throw new RunStopped('lost')
  keepOutput(plan, step, text)
  plan.output = text
  return {}
}

/** A call that may have happened is not repeated, but where its step says that it may be (D84). */
async function callTool(ctx: Context, toGo: StepToTake): Promise<string> {
  const { run, record, underWay, input, item } = toGo
  const { step } = underWay
  const tool = toolOf(step)
  const { call } = input
  if (call === undefined) throw new Error('A call was not rendered')
  const place = { position: step.position, item }
  const { key, isRepeat } = await retry(ctx, () => record.calls.begin(place))
  if (isRepeat && !isSafeToRepeat(tool)) throw new ToolUnsureError(UNSURE)
  const sent = await send(ctx, { sending: { tool, call, key, signal: run.signal }, toGo })
  if ('refusal' in sent) {
    await retry(ctx, () => record.calls.end(place))
    throw new ToolFailedError(sent.refusal)
  }
  return outputOf(ctx, { tool, text: sent.text, toGo })
}

const answerChecks = onePerApp(createAnswerChecks)

const UNSURE =
  'The call was sent, and the program ended before its answer was kept: nobody knows whether it happened.'

const TRIES = 3
const PAUSE_MS = 1_000
const PAUSE_MAX_MS = 60_000

async function send(ctx: Context, { sending, toGo }: { sending: Sending; toGo: StepToTake }): Promise<Sent> {
  const { tool, signal } = sending
  for (let tries = 1; ; tries += 1) {
    const isLast = tries === TRIES || !isSafeToRepeat(tool)
    const pause = PAUSE_MS * tries
    try {
      const sent = await inRun(tool).send(ctx, sending)
      if (isLast || !('refusal' in sent) || !sent.isBusy) return sent
      const wait = sent.retryAfterMs ?? pause
      if (wait > PAUSE_MAX_MS) return sent
      await sleep(wait, undefined, { signal })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof OutboundError) throw await ended(toGo, error.message)
      if (!(error instanceof ToolCallError)) throw error
      if (!error.mayHaveHappened) throw await ended(toGo, error.message)
      if (isLast) throw new ToolUnsureError(`${error.message}. Nobody knows whether the call happened.`)
      await sleep(pause, undefined, { signal })
    }
  }
}

/** What became of the call is known: a try that follows is another. */
async function ended({ record, underWay: { step }, item }: StepToTake, message: string): Promise<Error> {
  await record.calls.end({ position: step.position, item })
  return new ToolFailedError(message)
}

/** Throws where the answer is not what its step says; the call has happened all the same. */
async function outputOf(
  ctx: Context,
  { tool, text, toGo: { plan, run } }: { tool: StepTool; text: string; toGo: StepToTake },
): Promise<string> {
  const { as, schema } = answerOfTool(tool)
  if (as === 'text') return text
  if (!isJson(text)) throw new ToolFailedError('The service did not answer with JSON')
  if (schema === undefined) return text.trim()
  const { errors } = await answerChecks(ctx)({ owner: plan.user.id, signal: run.signal }, { text, schema })
  const [first] = errors
  if (first === undefined) return text.trim()
  throw new ToolFailedError(`The service’s answer does not match its schema: ${first.path} ${first.message}`)
}
