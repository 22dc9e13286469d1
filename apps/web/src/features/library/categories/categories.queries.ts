import { category } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

/** All categories, with the number of prompts that this person sees in each. */
export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: ({ signal }) => api('GET /api/categories', { list: category, signal }),
})

/** Creates a category and refetches the list. */
export function useCreateCategory() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => api('POST /api/categories', { body: { name }, created: category }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: categoriesQuery.queryKey }),
    meta: { failure: 'Failed to create category' },
  })
}
