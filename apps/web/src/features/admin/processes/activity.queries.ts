import { activity } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

const POLL_MS = 5_000

export const activityQuery = queryOptions({
  queryKey: ['admin', 'activity'],
  queryFn: ({ signal }) => api('GET /api/admin/activity', { reply: activity, signal }),
  gcTime: 0,
  refetchInterval: POLL_MS,
})

export function useStopRun() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => api('POST /api/admin/activity/runs/{id}/stop', { params: { id } }),
    meta: { failure: 'Failed to stop the run' },
    onSettled: () => client.invalidateQueries({ queryKey: activityQuery.queryKey }),
  })
}
