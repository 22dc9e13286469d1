import { personQuota, type UpdateQuotasRequest } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod'
import { api } from '../../lib/api.ts'

const quotas = z.array(personQuota)

export function quotasQuery(userId: number) {
  return queryOptions({
    queryKey: ['admin', 'users', userId, 'quotas'],
    queryFn: ({ signal }) =>
      api('GET /api/admin/users/{id}/quotas', { params: { id: userId }, reply: quotas, signal }),
    gcTime: 0,
  })
}

export function useUpdateQuotas(userId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: UpdateQuotasRequest) =>
      api('PATCH /api/admin/users/{id}/quotas', { params: { id: userId }, body, reply: quotas }),
    onSuccess: (updated) => client.setQueryData(quotasQuery(userId).queryKey, updated),
    meta: { failure: false },
  })
}
