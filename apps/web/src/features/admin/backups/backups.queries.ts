import { type BackupsState, backupsState, verifiedBackup } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, apiPath } from '../../../lib/api.ts'
import { noticesQuery } from '../notices.queries.ts'

const BUSY_POLL_MS = 2_000
const IDLE_POLL_MS = 30_000

export const backupsQuery = queryOptions({
  queryKey: ['admin', 'backups'],
  queryFn: ({ signal }) => api('GET /api/admin/backups', { reply: backupsState, signal }),
  gcTime: 0,
  refetchInterval: ({ state: { data } }) => (data?.underWay ? BUSY_POLL_MS : IDLE_POLL_MS),
})

function useStateWrite<Wanted>(
  mutationFn: (wanted: Wanted) => Promise<BackupsState>,
  { failure }: { failure: string },
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    meta: { failure },
    onSuccess: (state: BackupsState) => client.setQueryData(backupsQuery.queryKey, state),
  })
}

export const useBackUpNow = () =>
  useStateWrite(() => api('POST /api/admin/backups', { reply: backupsState }), {
    failure: 'Failed to start a backup',
  })

export const useDrill = () =>
  useStateWrite(
    (id: number) => api('POST /api/admin/backups/{id}/drill', { params: { id }, reply: backupsState }),
    { failure: 'Failed to start a test restore' },
  )

export function useVerify() {
  return useMutation({
    mutationFn: (id: number) =>
      api('POST /api/admin/backups/{id}/verify', { params: { id }, reply: verifiedBackup }),
    meta: { failure: 'Failed to verify the backup' },
  })
}

export function useDeleteBackup() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => api('DELETE /api/admin/backups/{id}', { params: { id } }),
    meta: { failure: 'Failed to delete the backup' },
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: backupsQuery.queryKey }),
        client.invalidateQueries({ queryKey: noticesQuery.queryKey }),
      ]),
  })
}

export const fileOf = (id: number): string => apiPath('GET /api/admin/backups/{id}/file', { params: { id } })
