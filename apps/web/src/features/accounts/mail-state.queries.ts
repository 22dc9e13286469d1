import { mailState } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

export const mailStateQuery = queryOptions({
  queryKey: ['mail'],
  queryFn: ({ signal }) => api('GET /api/mail', { reply: mailState, signal }),
  staleTime: 0,
})

export function useSendConfirmation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api('POST /api/mail/confirmation', { reply: mailState }),
    meta: { failure: 'Failed to send the email' },
    onSuccess: (state) => client.setQueryData(mailStateQuery.queryKey, state),
    onError: () => client.invalidateQueries({ queryKey: mailStateQuery.queryKey }),
  })
}
