import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

/** Refetches everything under `queryKey` afterwards. The caller tells the person about a failure. */
export function useRefreshingWrite<Input, Output>(
  queryKey: QueryKey,
  mutationFn: (input: Input) => Promise<Output>,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    // Not awaited: a dialog closes when the write is done.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey }),
    meta: { failure: false },
  })
}
