import { type ActivityFilter, activityRow, activityState } from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import { api, apiPath } from '../../../lib/api.ts'
import { apiList } from '../../../lib/lists.ts'

const PAGE = 100

export type ActivityExtent = 'own' | 'all'

const KEYS = { own: 'GET /api/activity', all: 'GET /api/admin/activity' } as const

export function activityQuery(extent: ActivityExtent, filter: ActivityFilter) {
  const list = apiList(KEYS[extent], {
    queryKey: ['activity', extent, filter],
    query: { ...filter, limit: PAGE },
    list: activityRow,
  })
  // Others act without an action of this page.
  return { ...list, staleTime: 0 }
}

export const activityFile = (extent: ActivityExtent, filter: ActivityFilter): string =>
  apiPath(KEYS[extent], { query: { ...filter, format: 'csv' } })

export const activityStateQuery = queryOptions({
  queryKey: ['activity', 'state'],
  queryFn: ({ signal }) => api('GET /api/activity/state', { reply: activityState, signal }),
  staleTime: 0,
})
