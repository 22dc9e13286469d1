import {
  type SaveVariableRequest,
  type Variable,
  variable,
  variableUsage,
  variableUsageCount,
} from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod'
import { read, write } from '../../lib/api-client.ts'

const ROOT = ['variables'] as const
/** Hold references, which a new name may have rewritten. */
const REFERRING = [['prompts'], ['chains']] as const

/** How many of a list are checked: they come from one query, so they are all alike. */
const CHECKED = 50
const variableList = z.custom<Variable[]>(
  (list) => Array.isArray(list) && z.array(variable).safeParse(list.slice(0, CHECKED)).success,
)

/** The variables that this person can see, by name; with tags only those with any of them. */
export function variablesQuery({ tagIds = [] }: { tagIds?: readonly number[] } = {}) {
  const query = tagIds.map((id) => `tagIds=${id}`).join('&')
  const path = query === '' ? '/api/variables' : `/api/variables/by-tags?${query}`
  return queryOptions({
    queryKey: [...ROOT, 'list', query],
    queryFn: ({ signal }) => read({ path, schema: variableList, signal }),
  })
}

/** By variable: how many prompts and chains refer to it. Anew each time, as they are edited elsewhere. */
export const usageCountsQuery = queryOptions({
  queryKey: [...ROOT, 'usage'],
  queryFn: ({ signal }) =>
    read({ path: '/api/variables/usage', schema: z.array(variableUsageCount), signal }),
  select: (counts) => new Map(counts.map(({ id, ...usage }) => [id, usage])),
  staleTime: 0,
})

/** The prompts and chains that refer to a variable; each time anew. */
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
