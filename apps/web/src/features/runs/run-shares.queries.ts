import { runShare } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, apiSend } from '../../lib/api.ts'

export interface SharedRecord {
  kind: 'chain' | 'prompt'
  id: number
}

const READ = { chain: 'GET /api/chains/{id}/run-share', prompt: 'GET /api/prompts/{id}/run-share' } as const
const SAVE = { chain: 'PUT /api/chains/{id}/run-share', prompt: 'PUT /api/prompts/{id}/run-share' } as const
const REMOVE = {
  chain: 'DELETE /api/chains/{id}/run-share',
  prompt: 'DELETE /api/prompts/{id}/run-share',
} as const

export function runShareQuery(record: SharedRecord) {
  return queryOptions({
    queryKey: ['run-share', record.kind, record.id],
    queryFn: ({ signal }) => api(READ[record.kind], { params: { id: record.id }, reply: runShare, signal }),
  })
}

export function useShareOwnRuns(record: SharedRecord) {
  const params = { id: record.id }
  const client = useQueryClient()
  return useMutation({
    mutationFn: (names: string[] | null) =>
      names === null
        ? apiSend(REMOVE[record.kind], { params })
        : apiSend(SAVE[record.kind], { params, body: { names } }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: runShareQuery(record).queryKey }),
        client.invalidateQueries({ queryKey: ['executions'] }),
      ]),
    meta: { failure: 'Your runs could not be shared' },
  })
}

export function useShareRun() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, isShared }: { id: number; isShared: boolean }) =>
      api(isShared ? 'PUT /api/executions/{id}/share' : 'DELETE /api/executions/{id}/share', {
        params: { id },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['executions'] }),
    meta: { failure: 'The run could not be shared' },
  })
}
