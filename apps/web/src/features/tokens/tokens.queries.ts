import {
  bestToken,
  type CreateOwnTokenRequest,
  chainToken,
  createdOwnToken,
  createdToken,
  ownToken,
  ownTokenDetails,
  readToken,
  tokenRun,
  tokenValue,
  type UpdateOwnTokenRequest,
} from '@catenary/contracts'
import {
  infiniteQueryOptions,
  type Query,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, apiPage } from '../../lib/api.ts'

const ROOT = ['tokens'] as const
const RUNS_PAGE = 20
export function chainTokensQuery(chainId: number) {
  return queryOptions({
    queryKey: [...ROOT, 'chain', chainId],
    queryFn: ({ signal }) => api('GET /api/tokens', { query: { chainId }, list: chainToken, signal }),
    // They are used without an action of this page.
    staleTime: 0,
  })
}

export const bestTokensQuery = queryOptions({
  queryKey: [...ROOT, 'best'],
  queryFn: ({ signal }) => api('GET /api/best-tokens', { list: bestToken, signal }),
  staleTime: 0,
})

export const ownTokensQuery = queryOptions({
  queryKey: [...ROOT, 'own'],
  queryFn: ({ signal }) => api('GET /api/own-tokens', { list: ownToken, signal }),
  staleTime: 0,
})

export const readTokensQuery = queryOptions({
  queryKey: [...ROOT, 'read'],
  queryFn: ({ signal }) => api('GET /api/read-tokens', { list: readToken, signal }),
  staleTime: 0,
})

/** All of one of one's own tokens, by its scopes. */
export function tokenQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'one', id],
    queryFn: ({ signal }) =>
      api('GET /api/own-tokens/{id}', { params: { id }, reply: ownTokenDetails, signal }),
    staleTime: 0,
  })
}

function tokenRunsQuery(tokenId: number) {
  return infiniteQueryOptions({
    queryKey: [...ROOT, 'runs', tokenId],
    queryFn: async ({ pageParam, signal }) => {
      const { items } = await apiPage('GET /api/tokens/{id}/executions', {
        params: { id: tokenId },
        query: { limit: RUNS_PAGE, before: pageParam ?? undefined },
        list: tokenRun,
        signal,
      })
      return items
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < RUNS_PAGE ? null : (page.at(-1)?.id ?? null)),
    staleTime: 0,
  })
}

/** Its runs; each time that they are read, what is summed of them is read again too. */
export function useTokenRuns(tokenId: number) {
  const queryClient = useQueryClient()
  const runs = useInfiniteQuery(tokenRunsQuery(tokenId))
  const { dataUpdatedAt } = runs
  useEffect(() => {
    if (dataUpdatedAt === 0) return
    const isOfSums = ({ queryKey }: Query) => queryKey[1] !== 'runs'
    void queryClient.invalidateQueries({ queryKey: ROOT, predicate: isOfSums })
  }, [dataUpdatedAt, queryClient])
  return runs
}

/** Once a list knows of a later call of a token, what was read of the token is read again. */
export function useLaterCalls({ id, lastUsed }: { id: number; lastUsed: string | null }): void {
  const queryClient = useQueryClient()
  const known = useRef(lastUsed)
  useEffect(() => {
    if (known.current === lastUsed) return
    known.current = lastUsed
    for (const { queryKey } of [tokenQuery(id), tokenRunsQuery(id)])
      void queryClient.invalidateQueries({ queryKey })
  }, [id, lastUsed, queryClient])
}

export async function readTokenValue({ id }: { id: number }): Promise<string> {
  return (await api('GET /api/tokens/{id}/value', { params: { id }, reply: tokenValue })).token
}

export function useCreateToken() {
  return useTokenWrite('create', (body: CreateOwnTokenRequest) =>
    api('POST /api/own-tokens', { body, created: createdOwnToken }),
  )
}

export function useUpdateToken() {
  return useTokenWrite('update', ({ id, body }: { id: number; body: UpdateOwnTokenRequest }) =>
    api('PATCH /api/own-tokens/{id}', { params: { id }, body, reply: ownTokenDetails }),
  )
}

export function useDeleteToken() {
  return useTokenWrite('delete', ({ id }: { id: number }) =>
    // Whoever may edit a chain ends others' tokens of it, too.
    api('DELETE /api/tokens/{id}', { params: { id } }),
  )
}

export function useRotateToken() {
  return useTokenWrite('rotate', ({ id, overlapMinutes }: { id: number; overlapMinutes: number }) =>
    api('POST /api/tokens/{id}/rotate', {
      params: { id },
      body: { overlapMinutes },
      reply: createdToken,
    }),
  )
}

type Act = 'create' | 'update' | 'delete' | 'rotate'

export function useTokenBusy(id: number): Act | undefined {
  const pending = useMutationState({
    filters: { mutationKey: ROOT, status: 'pending' },
    select: ({ options, state }) => ({
      act: options.mutationKey?.[1] as Act,
      variables: state.variables as { id?: number } | undefined,
    }),
  })
  return pending.find(({ variables }) => variables?.id === id)?.act
}

function useTokenWrite<Input, Output>(act: Act, mutationFn: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: [...ROOT, act],
    mutationFn,
    onSuccess: () => refresh(queryClient),
    meta: { failure: false },
  })
}

/** Not awaited: a dialog closes when the write is done. */
function refresh(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: ROOT })
}
