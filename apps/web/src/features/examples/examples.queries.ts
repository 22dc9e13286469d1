import { examplesState, madeExamples, removedExamples } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { read, write } from '../../lib/api-client.ts'

const PATH = '/api/examples'

/** What examples there are, and what of them this person has. */
export const examplesQuery = queryOptions({
  queryKey: ['examples'],
  queryFn: ({ signal }) => read({ path: PATH, schema: examplesState, signal }),
})

/** Makes all of them; every list shows more. */
export function useMakeExamples() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => write({ method: 'POST', path: PATH, schema: madeExamples }),
    onSuccess: () => client.invalidateQueries(),
    meta: { failure: 'Failed to make the examples' },
  })
}

/** Removes those that are as they were made; every list shows less. */
export function useRemoveExamples() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => write({ method: 'DELETE', path: PATH, schema: removedExamples }),
    onSuccess: () => client.invalidateQueries(),
    meta: { failure: 'Failed to remove the examples' },
  })
}
