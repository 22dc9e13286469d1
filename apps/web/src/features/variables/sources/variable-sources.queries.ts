import {
  proxyReply,
  type TryAddressRequest,
  type UploadRequest,
  uploadReply,
  variableContent,
  variablePreview,
} from '@catenary/contracts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'

/** The value of a variable, or why there is none; never cached. */
export function variablePreviewQuery(id: number) {
  return queryOptions({
    queryKey: ['variables', 'preview', id],
    queryFn: ({ signal }) =>
      api('GET /api/variables/{id}/preview', { params: { id }, reply: variablePreview, signal }),
    gcTime: 0,
  })
}

/** A stored variable's text; another revision is fetched again. */
export function storedContentQuery({ id, revision }: { id: number; revision: number }) {
  return queryOptions({
    queryKey: ['variables', 'stored-content', id, revision],
    queryFn: ({ signal }) =>
      api('GET /api/variables/{idOrName}/content', {
        params: { idOrName: String(id) },
        reply: variableContent,
        signal,
      }),
    gcTime: 0,
  })
}

/** Fetches what the address of an API variable gives now. The caller tells the person about a failure. */
export function useFetchApi() {
  return useMutation({
    mutationFn: ({ id, apiUrl }: { id: number; apiUrl: string }) =>
      api('GET /api/proxy', { query: { url: apiUrl, variableId: id }, reply: proxyReply }),
    meta: { failure: false },
  })
}

/** Fetches an address that no variable has yet, with the headers that were typed. The caller tells about a failure. */
export function useTryAddress() {
  return useMutation({
    mutationFn: (body: TryAddressRequest) => api('POST /api/proxy', { body, reply: proxyReply }),
    meta: { failure: false },
  })
}

/** Stores a text file. The caller tells the person about a failure. */
export function useUploadFile() {
  return useMutation({
    mutationFn: (body: UploadRequest) => api('POST /api/upload', { body, created: uploadReply }),
    meta: { failure: false },
  })
}
