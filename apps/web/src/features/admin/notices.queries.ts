import { adminNotices } from '@catenary/contracts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../../lib/api.ts'

const NOTICES_POLL_MS = 300_000

export const noticesQuery = queryOptions({
  queryKey: ['admin', 'notices'],
  queryFn: ({ signal }) => api('GET /api/admin/notices', { reply: adminNotices, signal }),
  refetchInterval: NOTICES_POLL_MS,
})

export function useIsQuiet(): boolean {
  const { data } = useQuery(noticesQuery)
  return data !== undefined && (data.quiet !== null || data.awaitsStart)
}

/** Looks again once what goes on has changed: what failed may be fine now, or the other way round. */
export function useFreshNotices(goingOn: unknown): void {
  const client = useQueryClient()
  const before = useRef(goingOn)
  useEffect(() => {
    if (before.current !== undefined && before.current !== goingOn) {
      void client.invalidateQueries({ queryKey: noticesQuery.queryKey })
    }
    before.current = goingOn
  }, [client, goingOn])
}

export function useResumeWork() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api('POST /api/admin/resume-work', {}),
    meta: { failure: 'Failed to resume work' },
    onSuccess: () => client.invalidateQueries({ queryKey: noticesQuery.queryKey }),
  })
}
