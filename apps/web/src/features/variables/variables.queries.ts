import { type SaveVariableRequest, type Variable, variable } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod'
import { read, write } from '../../lib/api-client.ts'

const ROOT = ['variables'] as const

/** The variables that this person can see, by name; with tags only those with any of them. */
export function variablesQuery({ tagIds = [] }: { tagIds?: readonly number[] } = {}) {
  const query = tagIds.map((id) => `tagIds=${id}`).join('&')
  const path = query === '' ? '/api/variables' : `/api/variables/by-tags?${query}`
  return queryOptions({
    queryKey: [...ROOT, 'list', query],
    queryFn: ({ signal }) => read({ path, schema: z.array(variable), signal }),
  })
}

/** Creates a variable. The caller tells the person about a failure. */
export function useCreateVariable() {
  return useWrite(
    (body: SaveVariableRequest): Promise<Variable> =>
      write({ method: 'POST', path: '/api/variables', body, schema: variable }),
  )
}

/** Saves a variable. The caller tells the person about a failure. */
export function useUpdateVariable() {
  return useWrite(
    ({ id, body }: { id: number; body: SaveVariableRequest }): Promise<Variable> =>
      write({ method: 'PATCH', path: `/api/variables/${id}`, body, schema: variable }),
  )
}

/** Deletes a variable. The caller tells the person about a failure. */
export function useDeleteVariable() {
  return useWrite((id: number) => write({ method: 'DELETE', path: `/api/variables/${id}` }))
}

function useWrite<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => {
      // Not awaited: a dialog closes when the write is done.
      void queryClient.invalidateQueries({ queryKey: ROOT })
    },
    meta: { failure: false },
  })
}
