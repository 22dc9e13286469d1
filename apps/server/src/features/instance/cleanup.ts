import type { Context } from '../../platform/context.ts'
import { deleteExpiredSessions } from '../accounts/accounts.ts'
import { deleteExpiredCalls } from '../doors/doors.ts'
import { deleteUnused } from '../files/files.ts'
import { deleteExpiredReplies } from '../idempotency/idempotency.ts'
import { deleteOldOccurrences } from '../schedules/schedules.ts'
import { deleteExpiredFetches } from '../tokens/tokens.ts'
import { deleteOldDeliveries } from '../webhooks/webhooks.ts'

const HOUR_SECONDS = 3_600

export function workCleanup(ctx: Context): void {
  ctx.jobs.queue('upkeep').work({
    repeatSeconds: HOUR_SECONDS,
    atStart: 'hourly',
    handle: async () => ctx.log.info(await deleteExpired(ctx), 'cleanup'),
  })
}

const deleteExpired = async (ctx: Context) => ({
  idempotencyKeys: await deleteExpiredReplies(ctx),
  sessions: await deleteExpiredSessions(ctx),
  files: await deleteUnused(ctx),
  occurrences: await deleteOldOccurrences(ctx),
  tokenCalls: await deleteExpiredCalls(ctx),
  fetches: await deleteExpiredFetches(ctx),
  deliveries: await deleteOldDeliveries(ctx),
})
