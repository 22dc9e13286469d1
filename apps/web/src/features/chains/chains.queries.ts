import {
  type Chain,
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
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { read, readAll, readPage, write } from '../../lib/api-client.ts'
import { listQuery } from '../../lib/lists.ts'
import { useRefreshingWrite } from '../../lib/use-refreshing-write.ts'

const ROOT = ['chains'] as const

export interface ChainFilter {
  search: string
  tagIds: readonly number[]
  visibility: SharedLevel | null
  ownership: Ownership
}

const UNFILTERED: ChainFilter = { search: '', tagIds: [], visibility: null, ownership: 'all' }

/** The chains that this person can see and the filter matches, last updated first. */
export function chainsQuery({ search, tagIds, visibility, ownership }: ChainFilter = UNFILTERED) {
  const params = new URLSearchParams(tagIds.map((id) => ['tagIds', String(id)]))
  if (search.trim() !== '') params.set('search', search.trim())
  if (visibility !== null) params.set('visibility', visibility)
  if (ownership !== 'all') params.set('ownership', ownership)
  const path = tagIds.length === 0 ? '/api/chains' : '/api/chains/by-tags'
  const query = params.size > 0 ? `?${params}` : ''
  return listQuery({
    queryKey: [...ROOT, 'list', query],
    path: path + query,
    schema: chainListItem,
  })
}

/** All chains that this person may open. */
export const allChainsQuery = queryOptions({
  queryKey: [...ROOT, 'list', 'all'],
  queryFn: ({ signal }) => readAll({ path: '/api/chains', schema: chainListItem, signal }),
  select: (chains) => chains.filter(({ canView }) => canView),
})

/** How many chains this person sees in the list. */
export const chainCountQuery = queryOptions({
  queryKey: [...ROOT, 'list', 'count'],
  queryFn: ({ signal }) =>
    readPage({ path: '/api/chains?limit=1', schema: chainListItem, cursor: null, signal }),
  select: ({ total }) => total,
})

/** One chain with its steps. */
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
  const listed = await read({ path: `/api/chains/${id}`, schema: chain, signal })
  const steps = await Promise.all(
    listed.steps.map((step) =>
      isWholeStep(step)
        ? step
        : read({ path: `/api/chains/${id}/steps/${step.id}`, schema: chainStep, signal }),
    ),
  )
  return { ...listed, steps }
}

function isWholeStep(step: ListedStep): boolean {
  const texts = [step.contentClipped, step.systemPromptClipped, step.linkedPrompt?.contentClipped]
  return texts.every((isClipped) => !isClipped)
}

/** Creates a chain. The caller tells the person about a failure. */
export function useCreateChain() {
  return useRefreshingWrite(ROOT, (body: CreateChainRequest) =>
    write({ method: 'POST', path: '/api/chains', body, schema: chain }),
  )
}

/** Makes a private copy of a chain. The caller tells the person about a failure. */
export function useDuplicateChain() {
  return useRefreshingWrite(ROOT, (id: number) =>
    write({ method: 'POST', path: `/api/chains/${id}/duplicate`, schema: chain }),
  )
}

/** Saves a chain's own fields. The caller tells the person about a failure. */
export function useUpdateChain() {
  return useRefreshingWrite(ROOT, ({ id, body }: { id: number; body: UpdateChainRequest }) =>
    write({ method: 'PATCH', path: `/api/chains/${id}`, body, schema: chain }),
  )
}

/** Deletes a chain. The caller tells the person about a failure. */
export function useDeleteChain() {
  // Its own page is still in view and must not ask for it again.
  return useRefreshingWrite([...ROOT, 'list'], (id: number) =>
    write({ method: 'DELETE', path: `/api/chains/${id}` }),
  )
}

interface StepAddress {
  chainId: number
  stepId: number
}

/** Adds a step. The caller tells the person about a failure. */
export function useCreateStep() {
  return useRefreshingWrite(ROOT, ({ chainId, body }: { chainId: number; body: CreateStepRequest }) =>
    write({ method: 'POST', path: `/api/chains/${chainId}/steps`, body }),
  )
}

/** Copies a step, right after itself. The caller tells the person about a failure. */
export function useDuplicateStep() {
  return useRefreshingWrite(ROOT, ({ chainId, stepId }: StepAddress) =>
    write({ method: 'POST', path: `/api/chains/${chainId}/steps/${stepId}/duplicate` }),
  )
}

/** Saves a step. The caller tells the person about a failure. */
export function useUpdateStep() {
  return useRefreshingWrite(ROOT, ({ chainId, stepId, body }: StepAddress & { body: UpdateStepRequest }) =>
    write({ method: 'PATCH', path: `/api/chains/${chainId}/steps/${stepId}`, body }),
  )
}

/** Deletes a step. The caller tells the person about a failure. */
export function useDeleteStep() {
  return useRefreshingWrite(ROOT, ({ chainId, stepId }: StepAddress) =>
    write({ method: 'DELETE', path: `/api/chains/${chainId}/steps/${stepId}` }),
  )
}

/** Puts the steps in another order: shown at once, taken back when it fails. The caller tells the person. */
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
      const path = `/api/chains/${chainId}/reorder-steps`
      const saved = await write({ method: 'POST', path, body: { stepIds, revision }, schema: chain })
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
      // Another move is still on its way: an earlier answer would undo it.
      if (queryClient.isMutating({ mutationKey }) <= 1) void queryClient.invalidateQueries({ queryKey: ROOT })
    },
    meta: { failure: false },
  })
}

/** The chain with its steps in that order; one that is not named stays at the end. */
function inOrder({ chain, stepIds }: { chain: Chain; stepIds: readonly number[] }): Chain {
  const rank = (id: number) => (stepIds.includes(id) ? stepIds.indexOf(id) : stepIds.length)
  return { ...chain, steps: chain.steps.toSorted((left, right) => rank(left.id) - rank(right.id)) }
}
