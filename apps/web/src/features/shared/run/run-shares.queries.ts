import { runShare } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { read, write } from '../../../lib/api-client.ts'

export interface SharedRecord {
  kind: 'chain' | 'prompt'
  id: number
}

const pathOf = ({ kind, id }: SharedRecord) => `/api/${kind}s/${id}/run-share`

/** Whether the person shares their runs of it, and which private names that covers. */
export function runShareQuery(record: SharedRecord) {
  return queryOptions({
    queryKey: ['run-share', record.kind, record.id],
    queryFn: ({ signal }) => read({ path: pathOf(record), schema: runShare, signal }),
  })
}

/** Shares one's runs of it as far as they use these names; null: no more. */
export function useShareOwnRuns(record: SharedRecord) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (names: string[] | null) =>
      names === null
        ? write({ method: 'DELETE', path: pathOf(record) })
        : write({ method: 'PUT', path: pathOf(record), body: { names } }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: runShareQuery(record).queryKey }),
        client.invalidateQueries({ queryKey: ['executions'] }),
      ]),
    meta: { failure: 'Your runs could not be shared' },
  })
}

/** Shares one run, or takes that back. */
export function useShareRun() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, isShared }: { id: number; isShared: boolean }) =>
      write({ method: isShared ? 'PUT' : 'DELETE', path: `/api/executions/${id}/share` }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['executions'] }),
    meta: { failure: 'The run could not be shared' },
  })
}
