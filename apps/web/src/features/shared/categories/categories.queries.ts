import { type Category, category } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readAll, write } from '../../../lib/api-client.ts'

/** All categories, with the number of prompts that this person sees in each. */
export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: ({ signal }) => readAll({ path: '/api/categories', schema: category, signal }),
})

/** Creates a category and refetches the list. */
export function useCreateCategory() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (name: string): Promise<Category> =>
      write({ method: 'POST', path: '/api/categories', body: { name }, schema: category }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: categoriesQuery.queryKey }),
    meta: { failure: 'Failed to create category' },
  })
}
