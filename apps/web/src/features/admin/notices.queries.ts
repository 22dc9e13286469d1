import { adminNotices } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { read, write } from '../../lib/api-client.ts'

const NOTICES_POLL_MS = 300_000

/** What stands above every page of an administrator. */
export const noticesQuery = queryOptions({
  queryKey: ['admin', 'notices'],
  queryFn: ({ signal }) => read({ path: '/api/admin/notices', schema: adminNotices, signal }),
  refetchInterval: NOTICES_POLL_MS,
})

/** Lets a restored copy do its work. */
export function useResumeWork() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => write({ method: 'POST', path: '/api/admin/resume-work' }),
    meta: { failure: 'Failed to resume the work' },
    onSuccess: () => client.invalidateQueries({ queryKey: noticesQuery.queryKey }),
  })
}
