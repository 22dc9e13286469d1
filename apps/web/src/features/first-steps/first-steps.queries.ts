import { FIRST_STEPS, type FirstSteps, firstSteps } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '../../lib/api.ts'

const POLL_MS = 5_000

/** How the history marks a visit to try the sandbox: with an address, any link could add the examples. */
export const TRY_SANDBOX = { sandbox: true }

export const areAllDone = ({ done }: FirstSteps): boolean => FIRST_STEPS.every((step) => done[step])

export const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: ({ signal }) => api('GET /api/first-steps', { reply: firstSteps, signal }),
  // They are done elsewhere: on other pages, by programs, by workers.
  staleTime: 0,
  refetchInterval: ({ state: { data } }) => (data && !data.isOver && !areAllDone(data) ? POLL_MS : false),
})

export function useRefreshFirstSteps(): () => void {
  const client = useQueryClient()
  return useCallback(() => void client.invalidateQueries({ queryKey: firstStepsQuery.queryKey }), [client])
}

/** Puts them away for good; those that were seen to be done stay in sight until the page is left. */
export function useEndFirstSteps() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api('DELETE /api/first-steps', {}),
    meta: { failure: 'Failed to hide first steps' },
    onSuccess: () => client.cancelQueries({ queryKey: firstStepsQuery.queryKey }),
  })
}
