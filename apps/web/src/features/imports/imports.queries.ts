import {
  type ImportRequest,
  importOutcome,
  importReportKept,
  recentImports,
  undoneImport,
} from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import type { ChosenFile } from './chosen-files.ts'

const ROOT = ['imports'] as const

/** What would come of the files; `stamp` tells one choice of files from another. */
export function dryRunQuery({ files, stamp }: { files: readonly ChosenFile[]; stamp: number }) {
  return queryOptions({
    queryKey: [...ROOT, 'dry-run', stamp],
    queryFn: ({ signal }) =>
      api('POST /api/import', {
        body: { files: toSent(files), dryRun: true },
        reply: importOutcome,
        signal,
      }),
    enabled: files.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
}

const toSent = (files: readonly ChosenFile[]) => files.map(({ name, text }) => ({ name, text }))

export const recentImportsQuery = queryOptions({
  queryKey: [...ROOT, 'recent'],
  queryFn: ({ signal }) => api('GET /api/imports', { reply: recentImports, signal }),
  staleTime: 0,
})

export function readReport(id: number) {
  return api('GET /api/imports/{id}', { params: { id }, reply: importReportKept })
}

export function useImport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ files, ...body }: Omit<ImportRequest, 'files'> & { files: readonly ChosenFile[] }) =>
      api('POST /api/import', {
        body: { ...body, files: toSent(files), dryRun: false },
        reply: importOutcome,
      }),
    onSuccess: () => refresh(client),
    meta: { failure: false },
  })
}

export function useUndoImport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => api('POST /api/imports/{id}/undo', { params: { id }, reply: undoneImport }),
    onSuccess: () => refresh(client),
    meta: { failure: false },
  })
}

/** Not what is shown of the dry run: its files did not change. */
function refresh(client: ReturnType<typeof useQueryClient>): void {
  void client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== ROOT[0] || queryKey[1] === 'recent',
  })
}
