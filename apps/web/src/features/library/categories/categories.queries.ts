import { category } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: ({ signal }) => api('GET /api/categories', { list: category, signal }),
})

export function useCreateCategory() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => api('POST /api/categories', { body: { name }, created: category }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: categoriesQuery.queryKey }),
    meta: { failure: 'Failed to create category' },
  })
}
