import { askedSend } from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { api } from '../../lib/api.ts'

/** Where the person's private values would go in a run of the chain, or in one that begins with those of an earlier run. */
export function sendsQuery(chainId: number, executionId?: number) {
  return queryOptions({
    queryKey: ['fills', 'sends', chainId, executionId],
    queryFn: ({ signal }) =>
      api('GET /api/chains/{id}/sends', {
        params: { id: chainId },
        query: { executionId },
        reply: z.array(askedSend),
        signal,
      }),
    staleTime: 0,
  })
}
