export { beginCall, deleteExpiredReplies } from './repeat-calls.ts'
export { sealedReplies } from './sealed-replies.sql.ts'
