import { setTimeout as sleep } from 'node:timers/promises'
import { type StepTool, toolTextsOf } from '@catenary/contracts'
import {
  AddressTemplateError,
  destinationOfTool,
  type HttpCall,
  isJson,
  readerOf,
  renderCall,
} from '@catenary/domain'
import { type Context, onePerApp } from '../../../../platform/context.ts'
import { createAnswerChecks } from '../../../../platform/grading/answer-checks.ts'
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts'
import { ToolCallError, type ToolReply } from '../../../../platform/outbound/tool-calls.ts'
import { RunStopped } from '../../engine/active-runs.ts'
import type { PlannedStep } from '../../engine/planned-step.ts'
import { MissingValueError, ToolFailedError, ToolUnsureError } from '../../engine/run-ending.ts'
import { INPUT_MAX, resolvedIn, segmentsOf } from '../../engine/step-input.ts'
import type { RenderedStep } from '../../engine/step-templates.ts'
import { isLast, keepOutput } from '../chain-plan.ts'
import { toStepEnd } from '../step-end.ts'
import { retry } from '../step-reads.ts'
import type { KindInRun, StepResult, StepToTake, StepValues } from './kind-in-run.ts'
import { NO_COST } from './no-cost.ts'

/** Characters of a refusal that are told of. */
const TOLD_MAX = 300

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
  const { record, underWay, input, item } = toGo
  const { step } = underWay
  const tool = toolOf(step)
  const { call } = input
  if (call === undefined) throw new Error('A call was not rendered')
  const place = { position: step.position, item }
  const { key, isRepeat } = await retry(ctx, () => record.calls.begin(place))
  if (isRepeat && !tool.safeToRepeat) throw new ToolUnsureError(UNSURE)
  const reply = await ask(ctx, { call: { ...call, headers: { ...call.headers, [KEY]: key } }, tool, toGo })
  if (reply.status < 200 || reply.status > 299) {
    await retry(ctx, () => record.calls.end(place))
    throw new ToolFailedError(refusalOf(reply))
  }
  return outputOf(ctx, { tool, reply, toGo })
}

const answerChecks = onePerApp(createAnswerChecks)

const KEY = 'Idempotency-Key'
const UNSURE =
  'The call was sent, and the program ended before its answer was kept: nobody knows whether it happened.'

const REPEATED = new Set([408, 425, 429, 500, 502, 503, 504])
const TRIES = 3
const PAUSE_MS = 1_000
const PAUSE_MAX_MS = 60_000

interface Asking {
  call: HttpCall
  tool: StepTool
  toGo: StepToTake
}

async function ask(ctx: Context, { call, tool, toGo }: Asking): Promise<ToolReply> {
  const { run } = toGo
  for (let tries = 1; ; tries += 1) {
    const isLast = tries === TRIES || !tool.safeToRepeat
    try {
      const reply = await ctx.toolCalls.call({ ...call, signal: run.signal })
      const wait = reply.retryAfterMs ?? PAUSE_MS * tries
      if (isLast || !REPEATED.has(reply.status) || wait > PAUSE_MAX_MS) return reply
      await sleep(wait, undefined, { signal: run.signal })
    } catch (error) {
      run.signal.throwIfAborted()
      if (error instanceof OutboundError) throw await ended(toGo, error.message)
      if (!(error instanceof ToolCallError)) throw error
      if (!error.mayHaveHappened) throw await ended(toGo, error.message)
      if (isLast) throw new ToolUnsureError(`${error.message}. Nobody knows whether the call happened.`)
      await sleep(PAUSE_MS * tries, undefined, { signal: run.signal })
    }
  }
}

/** What became of the call is known: a try that follows is another. */
async function ended({ record, underWay: { step }, item }: StepToTake, message: string): Promise<Error> {
  await record.calls.end({ position: step.position, item })
  return new ToolFailedError(message)
}

function refusalOf({ status, text }: ToolReply): string {
  const said = text.trim().replace(/\s+/g, ' ').slice(0, TOLD_MAX)
  const what =
    status >= 300 && status < 400
      ? 'sent the call on to another address, which is not followed'
      : 'refused the call'
  return `The service ${what} (status ${status})${said === '' ? '' : `: ${said}`}`
}

/** Throws where the answer is not what its step says; the call has happened all the same. */
async function outputOf(
  ctx: Context,
  {
    tool: { answer },
    reply: { text },
    toGo: { plan, run },
  }: { tool: StepTool; reply: ToolReply; toGo: StepToTake },
): Promise<string> {
  if (answer.as === 'text') return text
  if (!isJson(text)) throw new ToolFailedError('The service did not answer with JSON')
  if (answer.schema === undefined) return text.trim()
  const { errors } = await answerChecks(ctx)(
    { owner: plan.user.id, signal: run.signal },
    { text, schema: answer.schema },
  )
  const [first] = errors
  if (first === undefined) return text.trim()
  throw new ToolFailedError(`The service’s answer does not match its schema: ${first.path} ${first.message}`)
}
