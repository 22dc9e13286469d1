import { idempotencyKeys } from '../../db/schema/index.ts'
import { sealedColumn } from '../../db/sql/sealed-columns.ts'
import { contextOf } from './repeat-calls.ts'

export const sealedReplies = sealedColumn({
  what: 'kept replies',
  id: idempotencyKeys.id,
  column: idempotencyKeys.replyBody,
  beside: { actor: idempotencyKeys.actor, key: idempotencyKeys.key },
  contextOf,
})
