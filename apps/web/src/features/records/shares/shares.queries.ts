import { foundUser, type RecordKind, type Share, shareList } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod'
import { api } from '../../../lib/api.ts'

const KEYS = {
  prompt: { read: 'GET /api/prompts/{id}/shares', save: 'PUT /api/prompts/{id}/shares' },
  chain: { read: 'GET /api/chains/{id}/shares', save: 'PUT /api/chains/{id}/shares' },
} as const

export function sharesQuery({ kind, id }: { kind: RecordKind; id: number }) {
  return queryOptions({
    queryKey: [`${kind}s`, 'shares', id],
    queryFn: ({ signal }) => api(KEYS[kind].read, { params: { id }, reply: shareList, signal }),
  })
}

export function useSaveShares(kind: RecordKind) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, shares }: { id: number; shares: readonly Share[] }) =>
      api(KEYS[kind].save, { params: { id }, body: [...shares], reply: shareList }),
    // A refused one may mean that somebody is gone.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: [`${kind}s`] }),
    meta: { failure: false },
  })
}

export function usersQuery(name: string) {
  return queryOptions({
    queryKey: ['users', 'search', name],
    queryFn: ({ signal }) =>
      api('GET /api/users/search', { query: { name }, reply: z.array(foundUser), signal }),
    enabled: name !== '',
    gcTime: 0,
  })
}

export function isSameShares(left: readonly Share[], right: readonly Share[]): boolean {
  const textOf = (shares: readonly Share[]) =>
    shares
      .map(({ username, role }) => `${username} ${role}`)
      .sort()
      .join('\n')
  return textOf(left) === textOf(right)
}
