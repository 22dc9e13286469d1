import {
  BULK_MAX,
  type BulkChainsRequest,
  type BulkPromptsRequest,
  type BulkReply,
  bulkReply,
} from '@catenary/contracts'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

export const useBulkPrompts = () =>
  useBulkWrite<BulkPromptsRequest>({
    send: (body) => api('POST /api/prompts/bulk', { body, reply: bulkReply }),
    refreshes: [['prompts'], ['categories']],
    failure: 'Failed to change the prompts',
  })

export const useBulkChains = () =>
  useBulkWrite<BulkChainsRequest>({
    send: (body) => api('POST /api/chains/bulk', { body, reply: bulkReply }),
    refreshes: [['chains']],
    failure: 'Failed to change the chains',
  })

/** Sends changes one after the other, none of more than a call takes. */
function useBulkWrite<Request extends { ids: number[] }>({
  send,
  refreshes,
  failure,
}: {
  send: (request: Request) => Promise<BulkReply>
  refreshes: readonly QueryKey[]
  failure: string
}) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (requests: readonly Request[]): Promise<BulkReply> => {
      const replies: BulkReply[] = []
      for (const request of requests) {
        for (let from = 0; from < request.ids.length; from += BULK_MAX)
          replies.push(await send({ ...request, ids: request.ids.slice(from, from + BULK_MAX) }))
      }
      return {
        done: replies.flatMap(({ done }) => done),
        failed: replies.flatMap(({ failed }) => failed),
      }
    },
    onSettled: () => {
      for (const queryKey of refreshes) void queryClient.invalidateQueries({ queryKey })
    },
    meta: { failure },
  })
}
