import { asksNobody, KIND_OF_STEP, type User } from '@catenary/contracts'
import type { Transaction } from '../../../database/statements/executor.ts'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import type { FrozenLinks } from '../../chains/chains.ts'
import { requireAllowedModels } from '../../models/models.ts'
import { type Allowed, isShown } from '../../records/records.ts'
import type { ApiCall } from '../engine/api-call.ts'
import { subscribersOf } from '../engine/new-runs.ts'
import {
  type AnswerBounds,
  answerIn,
  asksModel,
  boundAnswer,
  kindOf,
  type PlannedStep,
} from '../engine/planned-step.ts'
import { mayUsePrivateValues } from '../engine/private-values.ts'
import { type RunInput, type RunMessage, toRunValues, toStoredInput } from '../engine/run-input.ts'
import { placeSent, type SentFile } from '../engine/sent-files.ts'
import { findOptionalRun, findRunTexts } from '../history/runs.sql.ts'
import { toRunHandle } from '../watching/follow-run.ts'
import { beginAttached, beginRun, beginWaiting } from './chain-workers.ts'
import { openPlan } from './open-plan.ts'
import { planAllowed, requireAllowedNames } from './private-names.ts'
import { planSends, type Sends } from './sends.ts'
import type { NewChainRun } from './started-run.sql.ts'

interface StartRequest {
  user: User
  chainId: number
  allowed: Allowed
  sends?: Sends
  label?: string | null
  version?: number | null
  frozenLinks?: FrozenLinks | undefined
  values?: Record<string, string>
  /** By output name, what people would have answered: a test asks nobody. */
  given?: Readonly<Record<string, string>> | undefined
  sent?: SentFile[] | undefined
  input?: RunInput | undefined
  transcript?: RunMessage[] | undefined
  trigger?: NewChainRun['trigger']
  apiTokenId?: number | null
  apiCall?: ApiCall | null
  bounds?: AnswerBounds
  /** The signal of a caller that waits for the answer; aborts when it leaves. */
  attached?: AbortSignal
  /** Done in the transaction that records the run, which then waits for a worker. */
  inRecord?: (ctx: Context<Transaction>) => Promise<void>
  /** Where it was reserved before: under it a run is started once. */
  id?: number | undefined
  /** Subscribers to its end (`onRunEnded`): name → their reference to the run. */
  subscribers?: Record<string, string>
  /** The same, told only of a chain with steps that ask people. */
  subscribersIfItAsks?: Record<string, string>
}

/**
 * Starts a run of the chain, or of its labelled version, with its linked prompts as they are now (D29, D30). It runs
 * on any worker; with `attached` it runs in this process, and ends with it or when the signal aborts.
 */
export async function startChainRun(
  ctx: Context,
  {
    user,
    chainId,
    allowed,
    sends = [],
    label = null,
    version = null,
    frozenLinks,
    values = {},
    given,
    sent = [],
    input = '',
    transcript,
    trigger = 'manual',
    apiTokenId = null,
    apiCall = null,
    bounds = {},
    id: reservedId,
    inRecord,
    attached,
    subscribers,
    subscribersIfItAsks,
  }: StartRequest,
) {
  const opened = await openPlan(ctx, { id: chainId, user, label, version, frozenLinks })
  const { plan: steps, withheld } = await planAllowed(opened.steps, allowed)
  const bounded = boundAnswer(given === undefined ? steps : withGiven(steps, given), bounds)
  requireAllowedModels(ctx, { user, aliases: aliasesOf(bounded) })
  requireAskable(bounded)
  const placed = await placeSent(ctx, { sent, template: bounded[0]?.template ?? '', user })
  const typed = { ...values, ...Object.fromEntries(placed) }
  if (isShown(allowed)) await requireAllowedNames(ctx, { withheld, user, typed: Object.keys(typed) })
  const stored = toStoredInput(input, { values: typed, transcript })
  const runValues = toRunValues(stored)
  const sending = { plan: bounded, values: runValues, user, chainId, sends, isShown: isShown(allowed) }
  const plan = await planSends(ctx, sending)
  const record = {
    ...stored,
    privateValues: await mayUsePrivateValues(ctx, { plan, values: runValues, user }),
    chainId,
    chainName: opened.name,
    chainVersion: opened.version,
    chainLabel: label,
    userId: user.id,
    visibilityEpoch: opened.visibilityEpoch,
    trigger,
    apiTokenId,
    apiCall,
    plan,
    stepCount: plan.length,
    subscribers: subscribersOf(
      ctx,
      { userId: user.id, trigger },
      { ...subscribers, ...(plan.some(({ ask }) => ask !== undefined) && subscribersIfItAsks) },
    ),
  }
  const begin = () => {
    if (attached) return beginAttached(ctx, { user, record, signal: attached })
    if (inRecord) return beginWaiting(ctx, { user, record, id: reservedId, inRecord })
    return beginRun(ctx, { user, record, id: reservedId })
  }
  const { id, executedAt, ended } = await begin()
  const handle = toRunHandle(ctx, { id, ...answerIn(plan), ended })
  return Object.assign(handle, { chainId, chainLabel: label, executedAt, titles: titlesOf(plan) })
}

export async function followChainRun(ctx: Context, id: number) {
  const run = await findOptionalRun(ctx.db, id)
  const texts = await findRunTexts(ctx.db, id)
  if (run === undefined || texts === undefined || run.chainId === null) return undefined
  const { chainId, chainLabel, executedAt } = run
  const handle = toRunHandle(ctx, { id, ...answerIn(texts.plan as PlannedStep[]) })
  return Object.assign(handle, {
    chainId,
    chainLabel,
    executedAt,
    titles: titlesOf(texts.plan as PlannedStep[]),
  })
}

export const aliasesOf = (plan: PlannedStep[]): string[] =>
  plan.flatMap((step) => (asksModel(step) ? [step.model] : []))

/** The reason of a refusal: a test has no answer for a step that asks people or calls a service. */
export const NOT_GIVEN = 'not_given'

/** Throws `conflict` where an answer is missing. */
function withGiven(plan: PlannedStep[], given: Readonly<Record<string, string>>): PlannedStep[] {
  return plan.map((step) => {
    const { acts } = KIND_OF_STEP[kindOf(step)]
    if (acts === undefined) return step
    const { outputVariableName: name } = step
    const answer = Object.hasOwn(given, name) ? given[name] : undefined
    if (answer !== undefined) return { ...step, given: answer }
    const { does } = acts({ tool: step.tool })
    const message = `Step ${step.position + 1} ${does}, and the test has no answer for {{${name}}}.`
    throw new AppError('conflict', message, { reason: NOT_GIVEN })
  })
}

/** Throws `conflict` for a step that names nobody, as after an import: the choice for nobody's answer was not meant for that. */
export function requireAskable(plan: PlannedStep[]): void {
  const step = plan.find(({ ask, given }) => ask !== undefined && given === undefined && asksNobody(ask))
  if (step === undefined) return
  const named = step.title === '' ? `Step ${step.position + 1}` : `Step ${step.position + 1} “${step.title}”`
  throw new AppError('conflict', `${named} asks nobody. Choose who may answer first.`)
}

function titlesOf(plan: PlannedStep[]): string[] {
  return plan.map(({ title }) => title)
}
