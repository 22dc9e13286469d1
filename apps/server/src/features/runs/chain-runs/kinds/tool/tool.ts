import { setTimeout as sleep } from 'node:timers/promises'
import { answerOfTool, isSafeToRepeat, type StepTool, toolTextsOf } from '@catenary/contracts'
import {
  destinationOfTool,
  fillCall,
  readerOf,
  renderCall,
  strikeSealed,
  ToolValueError,
} from '@catenary/domain'
import type { Context } from '../../../../../platform/context.ts'
import { OutboundError } from '../../../../../platform/outbound/outbound-error.ts'
import { ToolCallError } from '../../../../../platform/outbound/tool-calls.ts'
import { RunStopped } from '../../../engine/active-runs.ts'
import type { PlannedStep } from '../../../engine/planned-step.ts'
import { MissingValueError, ToolFailedError, ToolUnsureError } from '../../../engine/run-ending.ts'
import { INPUT_MAX, resolvedIn, segmentsOf } from '../../../engine/step-input.ts'
import type { RenderedStep } from '../../../engine/step-templates.ts'
import { readToolAnswer } from '../../../engine/tool-answer.ts'
import { isLast, keepOutput } from '../../chain-plan.ts'
import { openSealed, sayWhoSet } from '../../sealed-calls.ts'
import { toStepEnd } from '../../step-end.ts'
import { retry } from '../../step-reads.ts'
import type { AskAgain, AskedAnew, KindInRun, StepResult, StepToTake, StepValues } from '../kind-in-run.ts'
import { NO_COST } from '../no-cost.ts'
import { callsBehind, sendsWith, showCall } from './shown-calls.ts'
import { inRun, type Sending } from './tool-types.ts'
import type { Sent } from './type-in-run.ts'

export const TOOL: KindInRun = {
  planned: ({ tool }) => (tool ? { kind: 'tool', tool } : {}),
  // Where its answer is given, nothing is called.
  texts: (step) => (step.given === undefined ? toolTextsOf(toolOf(step)).join('\n') : ''),
  render: renderTool,
  takeItem: async (ctx, toGo) => ({ ...NO_COST, aiResponse: await callTool(ctx, toGo) }),
  destination: async (ctx, { step }) =>
    [destinationOfTool(toolOf(step)), ...(await sayWhoSet(ctx, step))].join('\n'),
  asksAnew,
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
    if (attachment) throw new MissingValueError(`$<${name}> is a file, which can’t be sent`)
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
    throw error instanceof ToolValueError ? new ToolFailedError(error.message) : error
  }
}

/** People saw what goes out before they answered: where that has changed since, they are asked about what it is now. */
async function asksAnew(ctx: Context, { plan, record, step }: AskedAnew): Promise<AskAgain | undefined> {
  if (step.given !== undefined || !step.reads?.length) return undefined
  const { outputs, jsonOutputs, steps } = plan
  for (const { asked, text, resolved, calls } of await retry(ctx, () => record.asked())) {
    if (calls === null || !sendsWith(step, asked.outputVariableName)) continue
    const saw = calls.find(({ stepId }) => stepId === step.id)
    if (saw && saw.text === showCall({ outputs, jsonOutputs, step, unknown: saw.unknown })) continue
    const behind = callsBehind({ outputs, jsonOutputs, steps: [asked, ...steps] }, asked)
    return { step: asked, input: { text, segments: [], resolved }, calls: behind }
  }
  return undefined
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
  const { run, plan, record, underWay, input, item } = toGo
  const { step } = underWay
  const tool = toolOf(step)
  const { call } = input
  if (call === undefined) throw new Error('A call was not rendered')
  const place = { position: step.position, item }
  const sealed = await openSealed(ctx, step)
  const { key, mayHaveHappened } = await retry(ctx, () => record.calls.begin(place))
  if (mayHaveHappened === 'copied') throw new ToolUnsureError(COPIED)
  if (mayHaveHappened && !isSafeToRepeat(tool)) throw new ToolUnsureError(ENDED)
  // Should it start a chain of this server, that one knows how deep it stands (D40).
  const depth = (plan.depth ?? 0) + 1
  const sending = {
    tool,
    call: fillCall(call, tool, sealed),
    key,
    sealed,
    depth,
    user: plan.user,
    signal: run.signal,
  }
  const sent = await send(ctx, { sending, toGo })
  if ('refusal' in sent) {
    await retry(ctx, () => record.calls.end(place))
    throw new ToolFailedError(sent.refusal)
  }
  return outputOf(ctx, { tool, text: strikeSealed(sent.text, sealed.values()), toGo })
}

const ENDED = 'The call was sent, and the run ended or its program did before the answer was kept'
const COPIED = 'Its installation was restored from a backup, and the one before may have sent the call since'

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
      if (isLast) throw new ToolUnsureError(error.message)
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
  const asked = { answer: answerOfTool(tool), text, owner: plan.user.id, signal: run.signal }
  const read = await readToolAnswer(ctx, asked)
  if ('problem' in read) throw new ToolFailedError(`The service’s answer ${read.problem}`)
  return read.text
}
