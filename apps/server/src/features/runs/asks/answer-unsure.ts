import { type AnswerUnsureRequest, type Ask, answerOfTool, type User } from '@catenary/contracts'
import { AppError, fieldError } from '../../../errors.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { recordActivity } from '../../activity/activity.ts'
import { readToolAnswer } from '../engine/tool-answer.ts'
import { notifyWaiting } from '../engine/waiting-runs.ts'
import { closedBy } from './answer-ask.ts'
import { lockAsk } from './asks.sql.ts'
import { closeUnsure } from './close-unsure.ts'
import { findAsk, readAsk } from './read-asks.ts'
import { findPlannedStep, findUnsureOf } from './unsure.sql.ts'

interface Answering {
  /** Of the run. */
  id: number
  position: number
  user: User
  said: AnswerUnsureRequest
}

/** What its runner says of a call counts once: throws as `answerAsk`, and `not_found` where no such call of theirs is unsure. */
export async function answerUnsure(ctx: Context, { id: executionId, ...answering }: Answering): Promise<Ask> {
  const { position, user, said } = answering
  const { item = null, happened, answer } = said
  if (!happened && answer !== undefined)
    throw fieldError('answer', 'A call that is sent again brings its own answer')
  const found = await findUnsureOf(ctx.db, { executionId, position, item, userId: user.id })
  if (found === undefined) throw new AppError('not_found', 'Nothing is unsure there')
  const { id } = found
  const output = happened ? await readAnswer(ctx, { executionId, position, user, answer }) : undefined
  await transaction(ctx, async (ctx) => {
    const locked = await lockAsk(ctx.db, { id, executionId })
    const ask = await findAsk(ctx, { id, user })
    if (locked === undefined || ask.status !== 'open')
      throw new AppError('conflict', closedBy(ask), { details: await readAsk(ctx, { id, user }) })
    if (!ask.canAnswer) throw new AppError('forbidden', 'You can’t say this of the run any more')
    await closeUnsure(ctx, { ask: locked, by: user.id, output, given: answer ?? null })
    await recordActivity(ctx, { kind: 'ask.answered', object: 'ask', id, ownerId: user.id })
  })
  await notifyWaiting(ctx)
  return readAsk(ctx, { id, user })
}

/** Empty where its runner has none, as of a step that was skipped. */
async function readAnswer(
  ctx: Context,
  {
    executionId,
    position,
    user,
    answer,
  }: Omit<Answering, 'said' | 'id'> & {
    executionId: number
    answer: string | undefined
  },
): Promise<string> {
  if (answer === undefined) return ''
  const step = await findPlannedStep(ctx.db, { executionId, position })
  if (step?.tool === undefined) return answer
  const asked = { text: answer, owner: user.id, signal: ctx.draining }
  const read = await readToolAnswer(ctx, { ...asked, answer: answerOfTool(step.tool) })
  if ('problem' in read) throw fieldError('answer', `The answer ${read.problem}`)
  return read.text
}
