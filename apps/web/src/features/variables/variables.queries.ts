import {
  listedVariable,
  type SaveVariableRequest,
  variable,
  variableUsage,
  variableUsageCount,
} from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, apiPage } from '../../lib/api.ts'
import { apiList } from '../../lib/lists.ts'

const ROOT = ['variables'] as const
/** Hold references, which a new name may have rewritten. */
const REFERRING = [['prompts'], ['chains']] as const

const UNFILTERED = { search: '', tagIds: [] }

export function variablesQuery({
  search,
  tagIds,
}: {
  search: string
  tagIds: readonly number[]
} = UNFILTERED) {
  const words = search.trim() === '' ? undefined : search.trim()
  const query = { tagIds: [...tagIds], search: words }
  const list = { queryKey: [...ROOT, 'list', query], list: listedVariable }
  return tagIds.length === 0
    ? apiList('GET /api/variables', { ...list, query: { search: words } })
    : apiList('GET /api/variables/by-tags', { ...list, query })
}

export const allVariablesQuery = queryOptions({
  queryKey: [...ROOT, 'all'],
  queryFn: ({ signal }) => api('GET /api/variables', { list: listedVariable, signal }),
})

export const variableCountQuery = queryOptions({
  queryKey: [...ROOT, 'count'],
  queryFn: ({ signal }) =>
    apiPage('GET /api/variables', { query: { limit: 1 }, list: listedVariable, signal }),
  select: ({ total }) => total,
})

export function variableQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'one', id],
    queryFn: ({ signal }) => api('GET /api/variables/{id}', { params: { id }, reply: variable, signal }),
    gcTime: 0,
  })
}

/** By variable: how many prompts and chains refer to it. Fetched each time, as they are edited elsewhere. */
export const usageCountsQuery = queryOptions({
  queryKey: [...ROOT, 'usage'],
  queryFn: ({ signal }) => api('GET /api/variables/usage', { list: variableUsageCount, signal }),
  select: (counts) => new Map(counts.map(({ id, ...usage }) => [id, usage])),
  staleTime: 0,
})

export function variableUsageQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'usage', id],
    queryFn: ({ signal }) =>
      api('GET /api/variables/{id}/usage', { params: { id }, reply: variableUsage, signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

export function useCreateVariable() {
  return useWrite({
    mutationFn: (body: SaveVariableRequest) => api('POST /api/variables', { body, created: variable }),
  })
}

export interface UpdateVariable {
  id: number
  body: SaveVariableRequest
}

export function useUpdateVariable() {
  return useWrite({
    mutationFn: ({ id, body }: UpdateVariable) =>
      api('PATCH /api/variables/{id}', { params: { id }, body, reply: variable }),
    changesReferences: ({ body }) => body.renameReferences === true,
  })
}

export function useDeleteVariable() {
  return useWrite({
    mutationFn: (id: number) => api('DELETE /api/variables/{id}', { params: { id } }),
  })
}

function useWrite<Input, Output>({
  mutationFn,
  changesReferences = () => false,
}: {
  mutationFn: (input: Input) => Promise<Output>
  changesReferences?: (input: Input) => boolean
}) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (_output, input) => {
      // Not awaited: a dialog closes when the write is done.
      for (const queryKey of changesReferences(input) ? [ROOT, ...REFERRING] : [ROOT])
        void queryClient.invalidateQueries({ queryKey })
    },
    meta: { failure: false },
  })
}
