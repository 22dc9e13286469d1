import type { Context } from '../../platform/context.ts'
import { deleteExpiredSessions } from '../accounts/accounts.ts'
import type { FilesService } from '../files/files.ts'
import { deleteExpiredCalls } from '../gateway/gateway.ts'
import type { IdempotencyService } from '../idempotency/idempotency.ts'
import { deleteOldOccurrences } from '../schedules/schedules.ts'
import { deleteExpiredFetches } from '../tokens/tokens.ts'
import { deleteOldDeliveries } from '../webhooks/webhooks.ts'

const HOUR_SECONDS = 3_600

interface Features {
  idempotency: Pick<IdempotencyService, 'deleteExpired'>
  files: Pick<FilesService, 'deleteUnused'>
}

/** Deletes what is past its time, every hour in one of all processes. */
export function createCleanup(ctx: Context, features: Features) {
  const { jobs, log } = ctx
  jobs.queue('upkeep').work({
    repeatSeconds: HOUR_SECONDS,
    atStart: 'hourly',
    handle: async () => log.info(await deleteExpired(ctx, features), 'cleanup'),
  })
  return {}
}

/** How much of each. */
async function deleteExpired(ctx: Context, { idempotency, files }: Features) {
  return {
    idempotencyKeys: await idempotency.deleteExpired(),
    sessions: await deleteExpiredSessions(ctx),
    files: await files.deleteUnused(),
    occurrences: await deleteOldOccurrences(ctx),
    tokenCalls: await deleteExpiredCalls(ctx),
    fetches: await deleteExpiredFetches(ctx),
    deliveries: await deleteOldDeliveries(ctx),
  }
}
