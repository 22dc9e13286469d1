import {
  type AccountSettings,
  accountSession,
  accountSettings,
  type ChangePasswordRequest,
  type UpdateAccountRequest,
} from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => api('GET /api/account', { reply: accountSettings, signal }),
})

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => api('GET /api/account/sessions', { list: accountSession, signal }),
  gcTime: 0,
})

export function useUpdateAccount() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: UpdateAccountRequest) => api('PATCH /api/account', { body, reply: accountSettings }),
    meta: { failure: 'Failed to save settings' },
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: accountQuery.queryKey, exact: true })
      const before = client.getQueryData(accountQuery.queryKey)
      if (before) client.setQueryData(accountQuery.queryKey, { ...before, ...change } as AccountSettings)
      return before
    },
    onError: (_error, _change, before) => client.setQueryData(accountQuery.queryKey, before),
    onSuccess: (settings) => client.setQueryData(accountQuery.queryKey, settings),
  })
}

export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ChangePasswordRequest) => api('POST /api/account/password', { body }),
    meta: { failure: false },
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}

export function useEndSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number | undefined) =>
      id === undefined
        ? api('DELETE /api/account/sessions', {})
        : api('DELETE /api/account/sessions/{id}', { params: { id } }),
    meta: { failure: 'Failed to sign out' },
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}
