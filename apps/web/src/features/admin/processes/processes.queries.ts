import { currentWork } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

const POLL_MS = 5_000

export const currentWorkQuery = queryOptions({
  queryKey: ['admin', 'processes'],
  queryFn: ({ signal }) => api('GET /api/admin/processes', { reply: currentWork, signal }),
  gcTime: 0,
  refetchInterval: POLL_MS,
})

export function useStopRun() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => api('POST /api/admin/processes/runs/{id}/stop', { params: { id } }),
    meta: { failure: 'Failed to stop the run' },
    onSettled: () => client.invalidateQueries({ queryKey: currentWorkQuery.queryKey }),
  })
}
