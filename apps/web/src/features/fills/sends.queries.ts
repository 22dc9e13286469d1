import { askedSend } from '@catenary/contracts'
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { api } from '../../lib/api.ts'

/** Where the person's private values would go in a run of the chain. */
export function sendsQuery(chainId: number) {
  return queryOptions({
    queryKey: ['fills', 'sends', chainId],
    queryFn: ({ signal }) =>
      api('GET /api/chains/{id}/sends', { params: { id: chainId }, reply: z.array(askedSend), signal }),
    staleTime: 0,
  })
}
