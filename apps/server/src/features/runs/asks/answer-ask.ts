import type { AnswerAskRequest, Ask, User } from '@catenary/contracts'
import { AppError, fieldError } from '../../../errors.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { recordActivity } from '../../activity/activity.ts'
import { notifyWaiting } from '../engine/waiting-runs.ts'
import type { AskRow } from './asks.sql.ts'
import { lockAsk } from './asks.sql.ts'
import { closeAsk } from './close-ask.ts'
import { findAsk, readAsk } from './read-asks.ts'

interface Answering {
  id: number
  user: User
  answer: AnswerAskRequest
}

/** One answer counts: throws `conflict` with the ask, as it was closed, where another came first. */
export async function answerAsk(ctx: Context, { id, user, answer }: Answering): Promise<Ask> {
  const { executionId } = await findAsk(ctx, { id, user })
  await transaction(ctx, async (ctx) => {
    const locked = await lockAsk(ctx.db, { id, executionId })
    // Read once it is locked: who may answer may have changed while it was waited for.
    const ask = await findAsk(ctx, { id, user })
    if (locked === undefined || ask.status !== 'open')
      throw new AppError('conflict', closedBy(ask), { details: await readAsk(ctx, { id, user }) })
    if (!ask.canAnswer) throw new AppError('forbidden', 'Others are to answer this')
    if (ask.unsure !== null)
      throw new AppError('conflict', 'Its runner says in the run whether the call happened')
    if (!ask.choices.some((choice) => choice.id === answer.decision))
      throw fieldError('decision', 'This is none of the choices')
    const { text = ask.text, reason = '', decision } = answer
    if (text !== ask.text && !ask.editable) throw fieldError('text', 'The text can’t be changed here')
    const { id: personId, username } = user
    const by = { id: personId, username }
    await closeAsk(ctx, { ask: locked, status: 'answered', decision, text, reason, by })
    await recordActivity(ctx, { kind: 'ask.answered', object: 'ask', id, ownerId: ask.userId })
  })
  await notifyWaiting(ctx)
  return readAsk(ctx, { id, user })
}

export function closedBy({ status, by }: Pick<AskRow, 'status' | 'by'>): string {
  if (status === 'answered') return `${by ?? 'Somebody'} answered this first`
  return status === 'expired' ? 'Its deadline has passed' : 'Its run was stopped, so it needs no answer'
}
