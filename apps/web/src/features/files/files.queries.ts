import { type StoreFileRequest, storedFile } from '@catenary/contracts'
import { useMutation } from '@tanstack/react-query'
import { api, apiPath } from '../../lib/api.ts'

export const storedFilePath = (id: number) => apiPath('GET /api/files/{id}', { params: { id } })

export function useStoreFile() {
  return useMutation({
    mutationFn: (body: StoreFileRequest) => api('POST /api/files', { body, created: storedFile }),
    meta: { failure: false },
  })
}
