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

export function useFetchApi() {
  return useMutation({
    mutationFn: ({ id, apiUrl }: { id: number; apiUrl: string }) =>
      api('GET /api/proxy', { query: { url: apiUrl, variableId: id }, reply: proxyReply }),
    meta: { failure: false },
  })
}

export function useTryAddress() {
  return useMutation({
    mutationFn: (body: TryAddressRequest) => api('POST /api/proxy', { body, reply: proxyReply }),
    meta: { failure: false },
  })
}

export function useUploadFile() {
  return useMutation({
    mutationFn: (body: UploadRequest) => api('POST /api/upload', { body, created: uploadReply }),
    meta: { failure: false },
  })
}
