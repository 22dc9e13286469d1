import { driveStatus } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

/** Whether this person has connected Google Drive, and whether they could. */
export const driveStatusQuery = queryOptions({
  queryKey: ['google-drive', 'status'],
  queryFn: ({ signal }) => api('GET /api/auth/google/status', { reply: driveStatus, signal }),
  gcTime: 0,
})

/** Forgets this person's connection to Google Drive. The caller tells the person about a failure. */
export function useDisconnectDrive() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api('DELETE /api/auth/google', {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: driveStatusQuery.queryKey }),
    meta: { failure: false },
  })
}
