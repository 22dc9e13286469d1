import {
  type Chain,
  type ChainListItem,
  type CreateChainRequest,
  type CreateStepRequest,
  chain,
  chainListItem,
  chainStep,
  type ListedStep,
  type Ownership,
  type SharedLevel,
  type UpdateChainRequest,
  type UpdateStepRequest,
} from '@catenary/contracts'
import { type InfiniteData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, apiPage } from '../../lib/api.ts'
import type { ListPage } from '../../lib/api-client.ts'
import { apiList } from '../../lib/lists.ts'
import { useRefreshingWrite } from '../../lib/use-refreshing-write.ts'

const ROOT = ['chains'] as const

export interface ChainFilter {
  search: string
  tagIds: readonly number[]
  visibility: SharedLevel | null
  ownership: Ownership
}

const UNFILTERED: ChainFilter = { search: '', tagIds: [], visibility: null, ownership: 'all' }

export function chainsQuery({ search, tagIds, visibility, ownership }: ChainFilter = UNFILTERED) {
  const filter = {
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(visibility !== null && { visibility }),
    ...(ownership !== 'all' && { ownership }),
  }
  const query = tagIds.length > 0 ? { tagIds: [...tagIds], ...filter } : filter
  return apiList(tagIds.length > 0 ? 'GET /api/chains/by-tags' : 'GET /api/chains', {
    queryKey: [...ROOT, 'list', query],
    query,
    list: chainListItem,
  })
}

export const allChainsQuery = queryOptions({
  queryKey: [...ROOT, 'list', 'all'],
  queryFn: ({ signal }) => api('GET /api/chains', { list: chainListItem, signal }),
  select: (chains) => chains.filter(({ canView }) => canView),
})

export const chainCountQuery = queryOptions({
  queryKey: [...ROOT, 'list', 'count'],
  queryFn: ({ signal }) => apiPage('GET /api/chains', { query: { limit: 1 }, list: chainListItem, signal }),
  select: ({ total }) => total,
})

/** What a list that was read before knows of the chain. */
export function useListedChain(id: number): ChainListItem | undefined {
  return useQueryClient()
    .getQueriesData<Partial<InfiniteData<ListPage<ChainListItem>>>>({ queryKey: [...ROOT, 'list'] })
    .flatMap(([, data]) => data?.pages ?? [])
    .flatMap(({ items }) => items)
    .find((chain) => chain.id === id)
}

export function chainQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'one', id],
    queryFn: ({ signal }) => readChain({ id, signal }),
    // Others may have changed it since it was last in view.
    staleTime: 0,
  })
}

/** With the whole texts of its steps: what they take from each other is read in them. */
async function readChain({ id, signal }: { id: number; signal: AbortSignal }): Promise<Chain> {
  const listed = await api('GET /api/chains/{id}', { params: { id }, reply: chain, signal })
  const steps = await Promise.all(
    listed.steps.map((step) =>
      isWholeStep(step)
        ? step
        : api('GET /api/chains/{id}/steps/{stepId}', {
            params: { id, stepId: step.id },
            reply: chainStep,
            signal,
          }),
    ),
  )
  return { ...listed, steps }
}

function isWholeStep(step: ListedStep): boolean {
  const texts = [step.contentClipped, step.systemPromptClipped, step.linkedPrompt?.contentClipped]
  return texts.every((isClipped) => !isClipped)
}

export function useCreateChain() {
  return useRefreshingWrite(ROOT, (body: CreateChainRequest) =>
    api('POST /api/chains', { body, created: chain }),
  )
}

export function useDuplicateChain() {
  return useRefreshingWrite(ROOT, (id: number) =>
    api('POST /api/chains/{id}/duplicate', { params: { id }, created: chain }),
  )
}

export function useUpdateChain() {
  return useRefreshingWrite(ROOT, ({ id, body }: { id: number; body: UpdateChainRequest }) =>
    api('PATCH /api/chains/{id}', { params: { id }, body, reply: chain }),
  )
}

export function useDeleteChain() {
  // Its own page is still open and must not fetch it again.
  return useRefreshingWrite([...ROOT, 'list'], (id: number) =>
    api('DELETE /api/chains/{id}', { params: { id } }),
  )
}

interface StepAddress {
  chainId: number
  stepId: number
}

export function useCreateStep() {
  return useRefreshingWrite(ROOT, ({ chainId, body }: { chainId: number; body: CreateStepRequest }) =>
    api('POST /api/chains/{id}/steps', { params: { id: chainId }, body, created: chainStep }),
  )
}

export function useDuplicateStep() {
  return useRefreshingWrite(ROOT, ({ chainId, stepId }: StepAddress) =>
    api('POST /api/chains/{id}/steps/{stepId}/duplicate', {
      params: { id: chainId, stepId },
      created: chainStep,
    }),
  )
}

export function useUpdateStep() {
  return useRefreshingWrite(ROOT, ({ chainId, stepId, body }: StepAddress & { body: UpdateStepRequest }) =>
    api('PATCH /api/chains/{id}/steps/{stepId}', { params: { id: chainId, stepId }, body, reply: chainStep }),
  )
}

export function useDeleteStep() {
  return useRefreshingWrite(ROOT, ({ chainId, stepId }: StepAddress) =>
    api('DELETE /api/chains/{id}/steps/{stepId}', { params: { id: chainId, stepId } }),
  )
}

export function useReorderSteps(chainId: number) {
  const queryClient = useQueryClient()
  const { queryKey } = chainQuery(chainId)
  const mutationKey = [...ROOT, 'reorder', chainId]
  return useMutation({
    mutationKey,
    // One after the other: each is sent with the revision that the one before has made.
    scope: { id: mutationKey.join('.') },
    mutationFn: async (stepIds: readonly number[]) => {
      const revision = queryClient.getQueryData(queryKey)?.revision
      const saved = await api('POST /api/chains/{id}/reorder-steps', {
        params: { id: chainId },
        body: { stepIds: [...stepIds], revision },
        reply: chain,
      })
      queryClient.setQueryData(queryKey, (shown) => shown && { ...shown, revision: saved.revision })
    },
    onMutate: async (stepIds) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(queryKey, (shown) => shown && inOrder({ chain: shown, stepIds }))
      return before?.steps.map(({ id }) => id)
    },
    onError: (_error, _stepIds, before = []) => {
      queryClient.setQueryData(queryKey, (shown) => shown && inOrder({ chain: shown, stepIds: before }))
    },
    onSettled: () => {
      // Another move is still on its way; an earlier answer would undo it.
      if (queryClient.isMutating({ mutationKey }) <= 1) void queryClient.invalidateQueries({ queryKey: ROOT })
    },
    meta: { failure: false },
  })
}

function inOrder({ chain, stepIds }: { chain: Chain; stepIds: readonly number[] }): Chain {
  const rank = (id: number) => (stepIds.includes(id) ? stepIds.indexOf(id) : stepIds.length)
  return { ...chain, steps: chain.steps.toSorted((left, right) => rank(left.id) - rank(right.id)) }
}

export function useRestoreChain(chainId: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ number, revision }: { number: number; revision: number }) =>
      api('POST /api/chains/{id}/versions/{number}/restore', {
        params: { id: chainId, number },
        body: { revision },
        reply: chain,
      }),
    // A refused one means that there are versions which the list doesn't show.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ROOT }),
    meta: { failure: false },
  })
}
