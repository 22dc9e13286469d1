import { activity } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { read, write } from '../../../lib/api-client.ts'

const ACTIVITY = '/api/admin/activity'
const POLL_MS = 5_000

/** What the installation is doing, polled while it is shown. */
export const activityQuery = queryOptions({
  queryKey: ['admin', 'activity'],
  queryFn: ({ signal }) => read({ path: ACTIVITY, schema: activity, signal }),
  gcTime: 0,
  refetchInterval: POLL_MS,
})

/** Stops anyone's run; what is shown follows. */
export function useStopRun() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => write({ method: 'POST', path: `${ACTIVITY}/runs/${id}/stop` }),
    meta: { failure: 'Failed to stop the run' },
    onSettled: () => client.invalidateQueries({ queryKey: activityQuery.queryKey }),
  })
}
