import { mailState } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { read, write } from './api-client.ts'

/** What can be mailed, and to whom; fetched each time it is shown. */
export const mailStateQuery = queryOptions({
  queryKey: ['mail'],
  queryFn: ({ signal }) => read({ path: '/api/mail', schema: mailState, signal }),
  staleTime: 0,
})

/** Mails the link once more that confirms the person's own address. */
export function useSendConfirmation() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => write({ method: 'POST', path: '/api/mail/confirmation', schema: mailState }),
    meta: { failure: 'Failed to send mail' },
    onSuccess: (state) => client.setQueryData(mailStateQuery.queryKey, state),
    onError: () => client.invalidateQueries({ queryKey: mailStateQuery.queryKey }),
  })
}
