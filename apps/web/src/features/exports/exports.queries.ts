import {
  type CreateFolderTokenRequest,
  createdFolderToken,
  type ExportFormat,
  folderToken,
  type Ownership,
} from '@catenary/contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readAll, write } from '../../lib/api-client.ts'

const TOKENS = ['tokens', 'folder'] as const

/** Where the browser downloads an export from. */
export function exportAddress({ format, ownership }: { format: ExportFormat; ownership: Ownership }): string {
  return `/api/export?${new URLSearchParams({ format, ownership })}`
}

/** One's own folder tokens, newest first. */
export const folderTokensQuery = queryOptions({
  queryKey: TOKENS,
  queryFn: ({ signal }) => readAll({ path: '/api/folder-tokens', schema: folderToken, signal }),
  // They are used without an action of this page.
  staleTime: 0,
})

/** The caller tells the person about a failure. */
export function useCreateFolderToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: CreateFolderTokenRequest) =>
      write({ method: 'POST', path: '/api/folder-tokens', body, schema: createdFolderToken }),
    onSuccess: () => client.invalidateQueries({ queryKey: TOKENS }),
    meta: { failure: false },
  })
}

/** Ends a token at once. The caller tells the person about a failure. */
export function useEndFolderToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => write({ method: 'DELETE', path: `/api/folder-tokens/${id}` }),
    onSuccess: () => client.invalidateQueries({ queryKey: TOKENS }),
    meta: { failure: false },
  })
}
