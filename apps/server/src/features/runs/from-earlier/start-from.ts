import { type AskedSend, type ExecuteChainRequest, OUTPUTS_MISSING, type User } from '@catenary/contracts'
import { AppError, fieldError } from '../../../errors.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { requireAllowedModels } from '../../models/models.ts'
import { listAskedSends } from '../chain-runs/asked-sends.ts'
import { openPlan } from '../chain-runs/open-plan.ts'
import { planAllowed, requireAllowedNames } from '../chain-runs/private-names.ts'
import { planSends } from '../chain-runs/sends.ts'
import { aliasesOf, requireAskable } from '../chain-runs/start-run.ts'
import { nextRunId, subscribersOf } from '../engine/new-runs.ts'
import type { PlannedStep } from '../engine/planned-step.ts'
import { mayUsePrivateValues, usesPrivateValues } from '../engine/private-values.ts'
import { toRunValues, toStoredInput } from '../engine/run-input.ts'
import { notifyWaiting } from '../engine/waiting-runs.ts'
import { endedAs } from './known-values.ts'
import { type EarlierRun, openEarlier } from './open-earlier.ts'
import { insertTakenRun, type TakenFrom, type TakenStep } from './taken-run.sql.ts'

interface FromRequest {
  user: User
  chainId: number
  from: NonNullable<ExecuteChainRequest['from']>
  allowed: { shown: readonly string[] }
  sends: readonly string[]
  input?: string | undefined
  /** They go before those of the earlier run. */
  values: Record<string, string>
}

/**
 * Starts a run of the chain as it is now at one of its steps. What the steps before made comes from an earlier run, by the
 * names of their outputs, and stands in this one as completed, at no cost; so do its input and values.
 */
export async function startFrom(
  ctx: Context,
  { user, chainId, from, allowed, sends, input, values }: FromRequest,
) {
  if (input !== undefined)
    throw fieldError('input', 'A run that begins at a step has the input of the earlier run')
  const { position } = from
  const opened = await openPlan(ctx, { id: chainId, user })
  const earlier = await openEarlier(ctx, { id: from.executionId, chainId, user, path: 'from.executionId' })
  if (earlier.run.trigger === 'evaluation')
    throw new AppError('conflict', 'This run belongs to an evaluation. Execute the chain instead.')
  if (position >= opened.steps.length) throw fieldError('from.position', 'The chain has no such step')
  const before = opened.steps.slice(0, position).map(({ others: _, ...step }) => step)
  const { plan: left, withheld } = await planAllowed(opened.steps.slice(position), allowed)
  requireAllowedModels(ctx, { user, aliases: aliasesOf(left) })
  requireAskable(left)
  const taken = before.map((step) => toTaken({ step, earlier }))
  requireOutputs({ taken, left })
  const stored = {
    userInput: earlier.userInput,
    variableValues: { ...earlier.variableValues, ...own(values) },
  }
  const runValues = toRunValues(stored)
  await requireAllowedNames(ctx, { withheld, user, typed: runValues.keys() })
  const takenFrom = toTakenFrom({ earlier, position, taken, left })
  const whole = [...taken.map(({ step }) => step), ...left]
  const sending = { plan: whole, values: runValues, user, chainId, sends, isShown: true, from: takenFrom }
  const plan = await planSends(ctx, sending)
  const wasPrivate = earlier.run.privateValues !== false
  const record = {
    ...stored,
    privateValues: wasPrivate || (await mayUsePrivateValues(ctx, { plan, values: runValues, user })),
    chainId,
    chainName: opened.name,
    chainVersion: opened.version,
    userId: user.id,
    visibilityEpoch: opened.visibilityEpoch,
    plan,
    stepCount: plan.length,
    takenFrom,
    subscribers: subscribersOf(ctx, { userId: user.id, trigger: 'manual' }),
  }
  const id = await nextRunId(ctx)
  const started = await transaction(ctx, (ctx) =>
    insertTakenRun(ctx.db, { run: { ...record, id }, steps: taken.map(({ row }) => row) }),
  )
  await notifyWaiting(ctx)
  return { ...started, chainId }
}

const own = (values: Record<string, string>) => toStoredInput('', { values }).variableValues

interface Taken {
  step: PlannedStep
  row: TakenStep
  isKnown: boolean
  /** Its position in the earlier run. */
  at?: number
}

/** A step as the earlier run has it; one that it does not have is skipped. Throws `conflict` for one that did not end there. */
/** Where private values would go in a run that begins with those of an earlier one, whatever step it begins at. */
export async function listSendsFrom(
  ctx: Context,
  { user, chainId, executionId }: { user: User; chainId: number; executionId: number },
): Promise<AskedSend[]> {
  const { run } = await openEarlier(ctx, { id: executionId, chainId, user, path: 'executionId' })
  return listAskedSends(ctx, { chainId, user, tookIn: run.privateValues !== false })
}

function toTaken({ step, earlier }: { step: PlannedStep; earlier: EarlierRun }): Taken {
  const executionId = earlier.run.id
  const ended = endedAs(step, earlier)
  if (ended === undefined) {
    const { outputVariableName: name } = step
    const isThere = earlier.steps.some((each) =>
      name === '' ? each.id === step.id : each.outputVariableName === name,
    )
    if (isThere) {
      const message = `Step ${step.position + 1} did not complete in run ${executionId}, so no later step can begin with its output.`
      throw new AppError('conflict', message)
    }
    const skipReason = `Run ${executionId}, from which this one was taken over, has no such step`
    return { step, row: { ...nothingOf(step), skipReason, aiResponse: step.default ?? '' }, isKnown: false }
  }
  const { forEach: _, ...settings } = ended.settings ?? {}
  const row: TakenStep = {
    position: step.position,
    title: ended.title,
    model: ended.model ?? '',
    promptId: ended.promptId,
    promptVersion: ended.promptVersion,
    outputVariableName: step.outputVariableName,
    systemPrompt: ended.systemPrompt,
    messages: ended.messages ?? null,
    // Its items stay with the run that they ran in.
    settings: Object.keys(settings).length > 0 ? settings : null,
    attachments: earlier.isOwn && ended.attachments.length > 0 ? ended.attachments : null,
    inputContent: ended.inputContent,
    inputSegments: ended.inputSegments,
    resolved: ended.resolved,
    aiResponse: ended.aiResponse ?? '',
    structured: ended.structured ?? null,
    finishReason: ended.finishReason,
    skipReason: ended.skipReason,
  }
  // What it read when it ran, which may be another text by now.
  const reads = (ended.fromOutside ?? []).filter((name) => earlier.outside.outputs.has(name))
  return { step: { ...step, reads }, row, isKnown: true, at: ended.position }
}

const nothingOf = ({
  position,
  title,
  model,
  promptId,
  promptVersion,
  outputVariableName,
}: PlannedStep): TakenStep => ({
  position,
  title,
  model,
  promptId,
  promptVersion,
  outputVariableName,
  systemPrompt: '',
  messages: null,
  settings: null,
  attachments: null,
  inputContent: null,
  inputSegments: [],
  resolved: {},
  aiResponse: '',
  structured: null,
  finishReason: null,
  skipReason: null,
})

/** Throws `conflict` with the names that the steps which are left read, and that the earlier run does not have. */
function requireOutputs({ taken, left }: { taken: readonly Taken[]; left: readonly PlannedStep[] }): void {
  const unknown = new Set(taken.flatMap(({ step, isKnown }) => (isKnown ? [] : [step.outputVariableName])))
  const read = left.flatMap(({ reads = [] }) => reads.filter((name) => unknown.has(name)))
  const names = [...new Set(read)]
  if (names.length === 0) return
  const listed = names.map((name) => `{{${name}}}`).join(', ')
  const message = `The earlier run has no ${listed}, which the steps need. Execute the chain from an earlier step.`
  throw new AppError('conflict', message, {
    details: names.map((name) => ({ name })),
    reason: OUTPUTS_MISSING,
  })
}

interface Taking {
  earlier: EarlierRun
  position: number
  taken: readonly Taken[]
  left: readonly PlannedStep[]
}

/** What its rows may not show: steps of the earlier run which the chain has no more went into them, too. */
function toTakenFrom({ earlier: { run, isOwn, steps, outside }, position, taken, left }: Taking): TakenFrom {
  const again = new Set(left.map(({ outputVariableName }) => outputVariableName))
  const kept = new Set(taken.map(({ step }) => step.outputVariableName))
  const last = Math.max(-1, ...taken.map(({ at = -1 }) => at))
  const tookPrivate = steps.filter((step) => step.position <= last && usesPrivateValues(step.resolved))
  const isUnknown = run.privateValues === null
  const mayHave = isUnknown || !isOwn || run.takenFrom?.tookIn === true || tookPrivate.length > 0
  const tookIn = run.privateValues !== false && mayHave
  const isLost = tookPrivate.some(({ outputVariableName }) => !kept.has(outputVariableName ?? ''))
  return {
    executionId: run.id,
    position,
    chainVersion: run.chainVersion,
    isCalled: outside.isCalled,
    outside: [...outside.outputs].filter((name) => !again.has(name)),
    tookIn,
    isUnnamed: tookIn && (isUnknown || !isOwn || isLost || run.takenFrom?.isUnnamed === true),
  }
}
