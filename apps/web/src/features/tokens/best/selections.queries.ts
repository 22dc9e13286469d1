import { bestChainSelection, correctedSelection, listedSelection, SELECTIONS_PAGE } from '@catenary/contracts'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod'
import { read, write } from '../../../lib/api-client.ts'

const ROOT = ['selections'] as const

/** Selections for requests with the person's Best Chain tokens, or one of them; newest first, a page at a time. */
export function selectionsQuery(tokenId: number | null) {
  return infiniteQueryOptions({
    queryKey: [...ROOT, tokenId],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: String(SELECTIONS_PAGE) })
      if (tokenId !== null) query.set('tokenId', String(tokenId))
      if (pageParam !== null) query.set('before', String(pageParam))
      return read({ path: `/api/best-selections?${query}`, schema: z.array(listedSelection), signal })
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < SELECTIONS_PAGE ? null : (page.at(-1)?.id ?? null)),
    // Requests arrive without an action of this page.
    staleTime: 0,
  })
}

/** One with all its scores. */
export function selectionQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'one', id],
    queryFn: ({ signal }) => read({ path: `/api/best-selections/${id}`, schema: bestChainSelection, signal }),
  })
}

/** Says which chain it should have been. The caller tells the person about a failure. */
export function useCorrectSelection() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, chainId }: { id: number; chainId: number }) =>
      write({
        method: 'POST',
        path: `/api/best-selections/${id}/correction`,
        body: { chainId },
        schema: correctedSelection,
      }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ROOT })
      // The request may be an example of a chain now.
      void queryClient.invalidateQueries({ queryKey: ['chains', 'one'] })
    },
    meta: { failure: false },
  })
}
