import { driveStatus } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { read, write } from '../../../../lib/api-client.ts'

/** Whether this person has connected Google Drive, and whether they could. */
export const driveStatusQuery = queryOptions({
  queryKey: ['google-drive', 'status'],
  queryFn: ({ signal }) => read({ path: '/api/auth/google/status', schema: driveStatus, signal }),
  gcTime: 0,
})

/** Forgets this person's connection to Google Drive. The caller tells the person about a failure. */
export function useDisconnectDrive() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => write({ method: 'DELETE', path: '/api/auth/google' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: driveStatusQuery.queryKey }),
    meta: { failure: false },
  })
}
