import { type CreateViewRequest, type View, view } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

/** The filters that this person keeps under names, oldest first. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => api('GET /api/views', { list: view, signal }),
})

/** Keeps filters under a name. */
export function useCreateView() {
  return useWrite({
    mutationFn: (body: CreateViewRequest): Promise<View> => api('POST /api/views', { body, created: view }),
    failure: 'Failed to save view',
  })
}

/** Deletes a view; the page stays as it is. */
export function useDeleteView() {
  return useWrite({
    mutationFn: ({ id }: View) => api('DELETE /api/views/{id}', { params: { id } }),
    failure: 'Failed to delete view',
  })
}

function useWrite<Input, Output>({
  mutationFn,
  failure,
}: {
  mutationFn: (input: Input) => Promise<Output>
  failure: string
}) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey }),
    meta: { failure },
  })
}
