import {
  type AnswerAskRequest,
  type AnswerUnsureRequest,
  type Ask,
  ask,
  listedAsk,
  waitingAsks,
} from '@catenary/contracts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { conflictOf } from '../../lib/errors.ts'
import { apiList } from '../../lib/lists.ts'

const ROOT = ['asks'] as const
/** Runs of others come to ask while a page is open. */
const COUNTED_AGAIN_MS = 60_000

/** How many runs wait for the person. */
export const waitingCountQuery = queryOptions({
  queryKey: [...ROOT, 'count'],
  queryFn: ({ signal }) => api('GET /api/asks/count', { reply: waitingAsks, signal }),
  staleTime: COUNTED_AGAIN_MS / 2,
  refetchInterval: COUNTED_AGAIN_MS,
  refetchOnWindowFocus: true,
})

export type ShownAsks = 'open' | 'all'

export const asksQuery = (shown: ShownAsks) => ({
  ...apiList('GET /api/asks', {
    queryKey: [...ROOT, 'list', shown],
    list: listedAsk,
    query: shown === 'open' ? { status: 'open' } : {},
  }),
  staleTime: 0,
  refetchOnWindowFocus: true,
})

export function askQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'one', id],
    queryFn: ({ signal }) => api('GET /api/asks/{id}', { params: { id }, reply: ask, signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
  })
}

/** A run began to ask, or goes on. */
export const refreshAsks = (queryClient: QueryClient): void =>
  void queryClient.invalidateQueries({ queryKey: ROOT })

/** Of two answers the first counts: whoever comes second is shown it. */
export const useAnswerAsk = (id: number) =>
  useAnswer(id, (body: AnswerAskRequest) =>
    api('POST /api/asks/{id}/answer', { params: { id }, body, reply: ask }),
  )

/** Whether a call happened. */
export const useAnswerUnsure = ({ id, executionId, position, unsure }: Ask) =>
  useAnswer(id, (said: Omit<AnswerUnsureRequest, 'item'>) => {
    const item = unsure?.item ?? null
    return api('POST /api/executions/{id}/steps/{position}/unsure', {
      params: { id: executionId, position },
      body: { ...said, ...(item !== null && { item }) },
      reply: ask,
    })
  })

function useAnswer<Body>(id: number, mutationFn: (body: Body) => Promise<Ask>) {
  const queryClient = useQueryClient()
  const { queryKey } = askQuery(id)
  return useMutation({
    mutationFn,
    onSuccess: (answered) => queryClient.setQueryData(queryKey, answered),
    onError: (error) => {
      const first = conflictOf({ error, schema: ask })
      if (first) queryClient.setQueryData(queryKey, first)
    },
    onSettled: () => {
      const isOther = ({ queryKey: [, part, of] }: { queryKey: readonly unknown[] }) =>
        part !== 'one' || of !== id
      void queryClient.invalidateQueries({ queryKey: ROOT, predicate: isOther })
    },
    meta: { failure: false },
  })
}
