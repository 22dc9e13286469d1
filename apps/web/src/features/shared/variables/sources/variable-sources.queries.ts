import {
  type ProxyReply,
  proxyReply,
  type TryAddressRequest,
  type UploadReply,
  type UploadRequest,
  uploadReply,
  variableContent,
  variablePreview,
} from '@catenary/contracts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { read, write } from '../../../../lib/api-client.ts'

/** The value of a variable, or why there is none; never cached. */
export function variablePreviewQuery(id: number) {
  return queryOptions({
    queryKey: ['variables', 'preview', id],
    queryFn: ({ signal }) => read({ path: `/api/variables/${id}/preview`, schema: variablePreview, signal }),
    gcTime: 0,
  })
}

/** A stored variable's text; another revision is fetched again. */
export function storedContentQuery({ id, revision }: { id: number; revision: number }) {
  return queryOptions({
    queryKey: ['variables', 'stored-content', id, revision],
    queryFn: ({ signal }) => read({ path: `/api/variables/${id}/content`, schema: variableContent, signal }),
    gcTime: 0,
  })
}

/** Fetches what the address of an API variable gives now. The caller tells the person about a failure. */
export function useFetchApi() {
  return useMutation({
    mutationFn: ({ id, apiUrl }: { id: number; apiUrl: string }): Promise<ProxyReply> => {
      const query = new URLSearchParams({ url: apiUrl, variableId: String(id) })
      return read({ path: `/api/proxy?${query}`, schema: proxyReply })
    },
    meta: { failure: false },
  })
}

/** Fetches an address that no variable has yet, with the headers that were typed. The caller tells about a failure. */
export function useTryAddress() {
  return useMutation({
    mutationFn: (body: TryAddressRequest): Promise<ProxyReply> =>
      write({ method: 'POST', path: '/api/proxy', body, schema: proxyReply }),
    meta: { failure: false },
  })
}

/** Stores a text file. The caller tells the person about a failure. */
export function useUploadFile() {
  return useMutation({
    mutationFn: (body: UploadRequest): Promise<UploadReply> =>
      write({ method: 'POST', path: '/api/upload', body, schema: uploadReply }),
    meta: { failure: false },
  })
}
