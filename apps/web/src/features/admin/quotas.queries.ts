import { personQuota, type UpdateQuotasRequest } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod'
import { read, write } from '../../lib/api-client.ts'

const quotas = z.array(personQuota)
const pathOf = (userId: number) => `/api/admin/users/${userId}/quotas`

/** What a person has, and may have; fetched each time it is shown. */
export function quotasQuery(userId: number) {
  return queryOptions({
    queryKey: ['admin', 'users', userId, 'quotas'],
    queryFn: ({ signal }) => read({ path: pathOf(userId), schema: quotas, signal }),
    gcTime: 0,
  })
}

/** Sets bounds on a person. */
export function useUpdateQuotas(userId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: UpdateQuotasRequest) =>
      write({ method: 'PATCH', path: pathOf(userId), body, schema: quotas }),
    onSuccess: (updated) => client.setQueryData(quotasQuery(userId).queryKey, updated),
    meta: { failure: false },
  })
}
