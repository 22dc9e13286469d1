import { bestChainSelection, correctedSelection, listedSelection, SELECTIONS_PAGE } from '@catenary/contracts'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, apiPage } from '../../../lib/api.ts'

const ROOT = ['selections'] as const

export function selectionsQuery(tokenId: number | null) {
  return infiniteQueryOptions({
    queryKey: [...ROOT, tokenId],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: SELECTIONS_PAGE,
        tokenId: tokenId ?? undefined,
        before: pageParam ?? undefined,
      }
      return (await apiPage('GET /api/best-selections', { query, list: listedSelection, signal })).items
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < SELECTIONS_PAGE ? null : (page.at(-1)?.id ?? null)),
    // Requests arrive without an action of this page.
    staleTime: 0,
  })
}

export function selectionQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'one', id],
    queryFn: ({ signal }) =>
      api('GET /api/best-selections/{id}', { params: { id }, reply: bestChainSelection, signal }),
  })
}

export function useCorrectSelection() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, chainId }: { id: number; chainId: number }) =>
      api('POST /api/best-selections/{id}/correction', {
        params: { id },
        body: { chainId },
        reply: correctedSelection,
      }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ROOT })
      // The request may be an example of a chain now.
      void queryClient.invalidateQueries({ queryKey: ['chains', 'one'] })
    },
    meta: { failure: false },
  })
}
