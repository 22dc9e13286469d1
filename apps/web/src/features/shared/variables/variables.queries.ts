import {
  listedVariable,
  type SaveVariableRequest,
  type Variable,
  variable,
  variableUsage,
  variableUsageCount,
} from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { read, readAll, readPage, write } from '../../../lib/api-client.ts'
import { listQuery } from '../../../lib/lists.ts'

const ROOT = ['variables'] as const
/** Hold references, which a new name may have rewritten. */
const REFERRING = [['prompts'], ['chains']] as const

const UNFILTERED = { search: '', tagIds: [] }

/** The variables that this person can see, by name; with a search or tags only those that fit. */
export function variablesQuery({
  search,
  tagIds,
}: {
  search: string
  tagIds: readonly number[]
} = UNFILTERED) {
  const params = new URLSearchParams(tagIds.map((id) => ['tagIds', String(id)]))
  if (search.trim() !== '') params.set('search', search.trim())
  const path = tagIds.length === 0 ? '/api/variables' : '/api/variables/by-tags'
  const query = params.size > 0 ? `?${params}` : ''
  return listQuery({
    queryKey: [...ROOT, 'list', query],
    path: path + query,
    schema: listedVariable,
  })
}

/** All variables that this person can see, by name: an editor knows each of them. */
export const allVariablesQuery = queryOptions({
  queryKey: [...ROOT, 'all'],
  queryFn: ({ signal }) => readAll({ path: '/api/variables', schema: listedVariable, signal }),
})

/** How many variables this person can see. */
export const variableCountQuery = queryOptions({
  queryKey: [...ROOT, 'count'],
  queryFn: ({ signal }) =>
    readPage({ path: '/api/variables?limit=1', schema: listedVariable, cursor: null, signal }),
  select: ({ total }) => total,
})

/** One variable, whole. */
export function variableQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'one', id],
    queryFn: ({ signal }) => read({ path: `/api/variables/${id}`, schema: variable, signal }),
    gcTime: 0,
  })
}

/** By variable: how many prompts and chains refer to it. Fetched each time, as they are edited elsewhere. */
export const usageCountsQuery = queryOptions({
  queryKey: [...ROOT, 'usage'],
  queryFn: ({ signal }) => readAll({ path: '/api/variables/usage', schema: variableUsageCount, signal }),
  select: (counts) => new Map(counts.map(({ id, ...usage }) => [id, usage])),
  staleTime: 0,
})

/** The prompts and chains that refer to a variable; fetched each time. */
export function variableUsageQuery(id: number) {
  return queryOptions({
    queryKey: [...ROOT, 'usage', id],
    queryFn: ({ signal }) => read({ path: `/api/variables/${id}/usage`, schema: variableUsage, signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

/** Creates a variable. The caller tells the person about a failure. */
export function useCreateVariable() {
  return useWrite({
    mutationFn: (body: SaveVariableRequest): Promise<Variable> =>
      write({ method: 'POST', path: '/api/variables', body, schema: variable }),
  })
}

export interface UpdateVariable {
  id: number
  body: SaveVariableRequest
}

/** Saves a variable. The caller tells the person about a failure. */
export function useUpdateVariable() {
  return useWrite({
    mutationFn: ({ id, body }: UpdateVariable): Promise<Variable> =>
      write({ method: 'PATCH', path: `/api/variables/${id}`, body, schema: variable }),
    changesReferences: ({ body }) => body.renameReferences === true,
  })
}

/** Deletes a variable. The caller tells the person about a failure. */
export function useDeleteVariable() {
  return useWrite({
    mutationFn: (id: number) => write({ method: 'DELETE', path: `/api/variables/${id}` }),
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
