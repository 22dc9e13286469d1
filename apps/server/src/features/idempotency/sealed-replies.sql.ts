import { idempotencyKeys } from '../../database/schema/index.ts'
import { sealedColumn } from '../../database/statements/sealed-columns.ts'
import { contextOf } from './repeat-calls.ts'

export const sealedReplies = sealedColumn({
  what: 'kept replies',
  id: idempotencyKeys.id,
  column: idempotencyKeys.replyBody,
  beside: { actor: idempotencyKeys.actor, key: idempotencyKeys.key },
  contextOf,
})
