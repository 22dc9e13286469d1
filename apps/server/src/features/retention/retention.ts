import { retentionApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { changeRetention, readRetention } from './apply-retention.ts'

export { workRetention } from './apply-retention.ts'

/** How long runs, their texts and keys are kept: each hour, and once that changes, what is past its time is deleted. */
export const serveRetention = handlers(retentionApi, {
  'GET /api/admin/retention': readRetention,
  'PUT /api/admin/retention': changeRetention,
})
