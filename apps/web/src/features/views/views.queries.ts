import { type CreateViewRequest, type View, view } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => api('GET /api/views', { list: view, signal }),
})

export function useCreateView() {
  return useWrite({
    mutationFn: (body: CreateViewRequest): Promise<View> => api('POST /api/views', { body, created: view }),
    failure: 'Failed to save view',
  })
}

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
