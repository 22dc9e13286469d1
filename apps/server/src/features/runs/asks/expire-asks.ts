import type { Transaction } from '../../../database/statements/executor.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { recordActivity } from '../../activity/activity.ts'
import { notifyWaiting } from '../engine/waiting-runs.ts'
import { type AskJob, askJobs } from './ask-jobs.ts'
import { isAnybodyAsked, listLostAsks } from './asked-people.sql.ts'
import { type LockedAsk, lockAsk } from './asks.sql.ts'
import { closeAsk } from './close-ask.ts'
import { expireUnsure } from './close-unsure.ts'
import { tellOfAsk, tellRunner } from './tell-asks.ts'
import { isWaitedFor } from './unsure.sql.ts'

const NOBODY = 'Nobody was left who could answer'

/** The choice for the deadline holds: it has passed, or nobody is left who could answer, of which the runner is told. */
export async function expireAsk(
  ctx: Context<Transaction>,
  { ask, isLost }: { ask: LockedAsk; isLost: boolean },
): Promise<void> {
  const { id, text, onDeadline: decision, userId: ownerId } = ask
  if (ask.unsure !== null) await expireUnsure(ctx, { ask, isLost })
  else {
    const reason = isLost ? NOBODY : ''
    await closeAsk(ctx, { ask, status: 'expired', decision, text, reason, by: null })
  }
  await recordActivity(ctx, { kind: 'ask.expired', object: 'ask', id, ownerId })
  if (isLost) await tellRunner(ctx, ask)
}

/** What becomes of asks in time, once however often it is tried. Called once, before the start. */
export function workAsks(ctx: Context): void {
  const { deadlines, reminders, lost } = askJobs(ctx)
  deadlines.work({ handle: ({ payload }) => expire(ctx, { ...payload, isLost: false }) })
  reminders.work({ handle: ({ payload }) => remind(ctx, payload) })
  lost.work({
    handle: async () => {
      for (const ask of await listLostAsks(ctx.db)) await expire(ctx, { ...ask, isLost: true })
    },
  })
}

async function expire(ctx: Context, { isLost, ...job }: AskJob & { isLost: boolean }): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const ask = await lockAsk(ctx.db, job)
    if (ask?.status !== 'open') return
    if (isLost && (await isAnybodyAsked(ctx.db, job.id))) return
    await expireAsk(ctx, { ask, isLost })
  })
  await notifyWaiting(ctx)
}

function remind(ctx: Context, job: AskJob): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const ask = await lockAsk(ctx.db, job)
    if (ask?.status !== 'open' || !(await isWaitedFor(ctx.db, ask))) return
    await tellOfAsk(ctx, { ...ask, isReminder: true, isMailed: true })
  })
}
