import type { Platform } from '../../platform/platform.ts'
import { createIdempotencyService } from './idempotency.service.ts'

export { sealedReplies } from './sealed-replies.repository.ts'
export type IdempotencyService = ReturnType<typeof createIdempotency>['service']

/** Saved replies to calls with an `Idempotency-Key`. */
export function createIdempotency({ db, log, secrets }: Pick<Platform, 'db' | 'log' | 'secrets'>) {
  return { service: createIdempotencyService({ db, log, secrets }) }
}
