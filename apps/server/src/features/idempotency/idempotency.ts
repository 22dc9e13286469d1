/** Saved replies to calls with an `Idempotency-Key`. */
export { beginCall, deleteExpiredReplies } from './repeat-calls.ts'
export { sealedReplies } from './sealed-replies.sql.ts'
