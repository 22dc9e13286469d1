import { type StoreFileRequest, storedFile } from '@catenary/contracts'
import { useMutation } from '@tanstack/react-query'
import { api, apiPath } from '../../lib/api.ts'

/** Where the bytes of an own image or PDF are. */
export const storedFilePath = (id: number) => apiPath('GET /api/files/{id}', { params: { id } })

/** Keeps an image or a PDF. The caller tells the person about a failure. */
export function useStoreFile() {
  return useMutation({
    mutationFn: (body: StoreFileRequest) => api('POST /api/files', { body, created: storedFile }),
    meta: { failure: false },
  })
}
