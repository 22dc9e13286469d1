import { activityApi } from '@catenary/contracts'
import { handlers } from '../../platform/http/endpoints.ts'
import { readActivityState } from './link-activity.ts'
import { serveActivityRows } from './read-activity.ts'

export { keptDays, saveKeptDays } from './activity.sql.ts'
export { lockSending } from './activity-links.sql.ts'
export { deleteEndedDays, linkActivity, workActivityLinks } from './link-activity.ts'
export { readLinkedRows } from './read-activity.ts'
export { asPart, recordActivity } from './record-activity.ts'
export { maskTypedName, noteRefusal, writeRefusals } from './refusals.ts'

export const serveActivity = handlers(activityApi, {
  'GET /api/activity': (ctx, call) => serveActivityRows(ctx, { ...call, extent: 'own' }),
  'GET /api/activity/state': readActivityState,
  'GET /api/admin/activity': (ctx, call) => serveActivityRows(ctx, { ...call, extent: 'all' }),
})
