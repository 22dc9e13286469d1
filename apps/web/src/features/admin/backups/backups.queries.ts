import { type BackupsState, backupsState, verifiedBackup } from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { read, write } from '../../../lib/api-client.ts'
import { noticesQuery } from '../notices.queries.ts'

const BACKUPS = '/api/admin/backups'
const BUSY_POLL_MS = 2_000
const IDLE_POLL_MS = 30_000

/** Polled while it is shown, more often while something goes on. */
export const backupsQuery = queryOptions({
  queryKey: ['admin', 'backups'],
  queryFn: ({ signal }) => read({ path: BACKUPS, schema: backupsState, signal }),
  gcTime: 0,
  refetchInterval: ({ state: { data } }) => (data?.underWay ? BUSY_POLL_MS : IDLE_POLL_MS),
})

function useStateWrite<Wanted>(options: { pathOf: (wanted: Wanted) => string; failure: string }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wanted: Wanted) =>
      write({ method: 'POST', path: options.pathOf(wanted), schema: backupsState }),
    meta: { failure: options.failure },
    onSuccess: (state: BackupsState) => client.setQueryData(backupsQuery.queryKey, state),
  })
}

/** Begins a copy. */
export const useBackUpNow = () =>
  useStateWrite<void>({ pathOf: () => BACKUPS, failure: 'Failed to begin a backup' })

/** Begins to restore a copy on trial. */
export const useDrill = () =>
  useStateWrite<number>({
    pathOf: (id) => `${BACKUPS}/${id}/drill`,
    failure: 'Failed to begin a restore on trial',
  })

/** Reads all of a copy. */
export function useVerify() {
  return useMutation({
    mutationFn: (id: number) =>
      write({ method: 'POST', path: `${BACKUPS}/${id}/verify`, schema: verifiedBackup }),
    meta: { failure: 'Failed to verify the backup' },
  })
}

export function useDeleteBackup() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => write({ method: 'DELETE', path: `${BACKUPS}/${id}` }),
    meta: { failure: 'Failed to delete the backup' },
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: backupsQuery.queryKey }),
        client.invalidateQueries({ queryKey: noticesQuery.queryKey }),
      ]),
  })
}

/** Where the browser gets the file. */
export const fileOf = (id: number): string => `${BACKUPS}/${id}/file`
