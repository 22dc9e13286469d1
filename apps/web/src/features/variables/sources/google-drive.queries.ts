import { driveStatus } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

export const driveStatusQuery = queryOptions({
  queryKey: ['google-drive', 'status'],
  queryFn: ({ signal }) => api('GET /api/auth/google/status', { reply: driveStatus, signal }),
  gcTime: 0,
})

export function useDisconnectDrive() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api('DELETE /api/auth/google', {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: driveStatusQuery.queryKey }),
    meta: { failure: false },
  })
}
