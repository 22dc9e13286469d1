import { isDeepStrictEqual } from 'node:util'
import type { User } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import type { Transaction } from '../../../database/statements/executor.ts'
import { AppError } from '../../../errors.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import type { Allowed } from '../../records/records.ts'
import { existsAskOf } from '../asks/asks.sql.ts'
import {
  type AnswerBounds,
  answerIn,
  boundAnswer,
  type OpenedStep,
  type PlannedStep,
} from '../engine/planned-step.ts'
import { mayUsePrivateValues } from '../engine/private-values.ts'
import { type RunMessage, toRunInput, toRunValues, toStoredInput } from '../engine/run-input.ts'
import { placeSent, type SentFile } from '../engine/sent-files.ts'
import { notifyWaiting } from '../engine/waiting-runs.ts'
import { findOptionalRun, findRunTexts } from '../history/runs.sql.ts'
import { toRunHandle } from '../watching/follow-run.ts'
import { outputOf } from './chain-plan.ts'
import { lockEndedChainRun, reopenChainRun } from './chain-runs.sql.ts'
import { resumeAttached } from './chain-workers.ts'
import { openPlan } from './open-plan.ts'
import { planAllowed } from './private-names.ts'
import { type Sends, sendsOf } from './sends.ts'
import { followChainRun } from './start-run.ts'

interface OpenedPlan {
  version: number
  steps: OpenedStep[]
}

interface ResumingCall {
  run: CalledRun
  user: User
  allowed: Allowed
  /** Where the token lets their private values go by now. */
  sends: Sends
  input: RunMessage[]
  sent?: SentFile[] | undefined
  bounds: AnswerBounds
  /** The signal of a caller that waits for the answer; aborts when it leaves. Without it, any worker may claim the run. */
  attached?: AbortSignal
  /** What belongs to the claim: done in its transaction, before it. */
  inClaim?: ((transaction: Transaction) => Promise<void>) | undefined
}

export type CalledRun = Awaited<ReturnType<typeof findCalledRun>>

export async function findCalledRun({ db }: Context, { id, tokenId }: { id: number; tokenId: number }) {
  const run = await findOptionalRun(db, id)
  const texts = await findRunTexts(db, id)
  const isOfToken = run?.trigger === 'token' && run.kind === 'chain' && run.apiTokenId === tokenId
  if (!isOfToken || run.chainId === null || texts === undefined) {
    throw refused(`This token has no run ${id}.`)
  }
  const { attempt, executedAt, chainId, chainName, chainVersion, chainLabel: label } = run
  if (run.status === 'running') throw refused(`Run ${id} is still running.`)
  if (run.status === 'completed') throw refused(`Run ${id} is complete.`)
  if (run.textsDeleted) throw refused(`The texts of run ${id} are no longer kept.`)
  const plan = texts.plan as PlannedStep[]
  const hasAsked = await existsAskOf(db, id)
  return { id, attempt, executedAt, chainId, chainName, chainVersion, label, plan, texts, hasAsked }
}

/** A run of this token that asked people: it waits, goes on or is complete by itself; undefined for any other. */
export async function followAskedRun(ctx: Context, { id, tokenId }: { id: number; tokenId: number }) {
  const run = await findOptionalRun(ctx.db, id)
  if (run?.trigger !== 'token' || run.kind !== 'chain' || run.apiTokenId !== tokenId) return undefined
  const isOwn = run.status === 'running' || run.status === 'completed'
  return isOwn && (await existsAskOf(ctx.db, id)) ? followChainRun(ctx, id) : undefined
}

/** Goes on with the first step that did not complete (D63). Throws `conflict`, which says why it can't. */
export async function resumeCall(ctx: Context, call: ResumingCall) {
  const { run, attached, inClaim } = call
  const { id, attempt, executedAt, chainId, chainName, chainVersion, label } = run
  const opened = await openAgain(ctx, call)
  const { user, sent = [] } = call
  const placed = await placeSent(ctx, { sent, template: opened.steps[0]?.template ?? '', user })
  refuseOther({ ...call, opened, placed })
  const consents = (await planAllowed(opened.steps, call.allowed)).plan
  const consented = run.plan.map((step, index) => {
    const { withheld, allowed } = consents[index] ?? step
    return { ...step, withheld, allowed }
  })
  const mayGo = await sendsOf(ctx, { plan: consented, user, chainId, sends: call.sends })
  const plan = mayGo(consented)
  const isAttached = attached !== undefined
  const values = toRunValues(run.texts)
  const privateValues = await mayUsePrivateValues(ctx, { plan, values, user })
  await transaction(ctx, async (ctx) => {
    await inClaim?.(ctx.db)
    const locked = await lockEndedChainRun(ctx.db, { id, attempt })
    if (locked === undefined) throw refused(`Another call is already resuming run ${id}.`)
    const output = plan.length > locked.completed.length ? null : outputOf(locked)
    await reopenChainRun(ctx.db, {
      id,
      attempt,
      chainName,
      chainVersion,
      plan,
      privateValues,
      output,
      isAttached,
    })
  })
  const ended = isAttached
    ? await resumeAttached(ctx, { id, attempt: attempt + 1, signal: attached })
    : await notifyWaiting(ctx)
  const outcome = Promise.resolve(ended ?? undefined)
  const handle = toRunHandle(ctx, { id, ...answerIn(plan), ended: outcome, after: attempt })
  const titles = plan.map(({ title }) => title)
  return Object.assign(handle, { chainId, chainLabel: label, executedAt, titles })
}

async function openAgain(
  ctx: Context,
  { run: { id, chainId, label }, user }: ResumingCall,
): Promise<OpenedPlan> {
  return openPlan(ctx, { id: chainId, user, label }).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    throw refused(`This token can no longer run the chain of run ${id}: ${error.message}`)
  })
}

function refuseOther({
  run,
  opened,
  input,
  bounds,
  placed,
}: ResumingCall & { opened: OpenedPlan; placed: ReadonlyMap<string, string> }): void {
  const { id, plan, texts, chainVersion } = run
  const anew = 'Call the chain again, or resume the run in Catenary.'
  if (opened.version !== chainVersion || opened.steps.length !== plan.length) {
    throw refused(`The chain was changed after run ${id}. ${anew}`)
  }
  const changed = plan.find((step, index) => !hasSameText(step, opened.steps[index]))
  if (changed !== undefined) {
    const title = stepTitle(changed)
    throw refused(
      `The prompt of step ${changed.position + 1} “${title}” was changed after run ${id}. ${anew}`,
    )
  }
  const isSame =
    [...placed].every(([name, key]) => texts.variableValues[name] === key) &&
    isDeepStrictEqual(toRunInput(toStoredInput(input)), toRunInput(texts)) &&
    isDeepStrictEqual(limitsOf(boundAnswer(opened.steps, bounds)), limitsOf(plan))
  if (isSame) return
  const otherwise = 'Send the same messages and limits, or leave x-catenary-resume out.'
  throw refused(`This call differs from run ${id}. ${otherwise}`)
}

function hasSameText(step: PlannedStep, now: PlannedStep | undefined): boolean {
  return now?.promptId === step.promptId && now.promptVersion === step.promptVersion
}

function limitsOf(plan: PlannedStep[]): unknown {
  const { maxTokens, stop, schema } = plan.at(-1) ?? {}
  return JSON.parse(JSON.stringify({ maxTokens: maxTokens ?? null, stop, schema }))
}

const refused = (why: string): AppError => new AppError('conflict', why)
