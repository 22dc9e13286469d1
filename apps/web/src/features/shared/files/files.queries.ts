import { type StoredFile, type StoreFileRequest, storedFile } from '@catenary/contracts'
import { useMutation } from '@tanstack/react-query'
import { write } from '../../../lib/api-client.ts'

/** Keeps an image or a PDF. The caller tells the person about a failure. */
export function useStoreFile() {
  return useMutation({
    mutationFn: (body: StoreFileRequest): Promise<StoredFile> =>
      write({ method: 'POST', path: '/api/files', body, schema: storedFile }),
    meta: { failure: false },
  })
}
