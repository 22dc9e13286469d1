import type { StoredFile, Variable } from '@catenary/contracts'
import type { TestUser } from './harness.ts'
import type { Library } from './library.ts'

/** Short ways to keep images and PDFs, and to make variables of them. */
export function mediaOf(library: Pick<Library, 'request' | 'owner' | 'createVariable' | 'http'>) {
  const send = (body: object, as: TestUser | undefined = library.owner) =>
    library.request({ method: 'POST', url: '/api/files', body, as })
  const store = async (
    bytes: Buffer,
    fileName = 'login-500.png',
    as = library.owner,
  ): Promise<StoredFile> => {
    const reply = await send({ fileName, data: bytes.toString('base64') }, as)
    if (reply.status !== 201) throw new Error(reply.text)
    return reply.body as StoredFile
  }
  return {
    send,
    store,
    /** A variable that holds the bytes; without them, a place for some. */
    hold: async (name: string, bytes: Buffer | null, fields: object = {}): Promise<Variable> => {
      const content = bytes === null ? '' : (await store(bytes)).filePath
      return library.createVariable(library.owner, { name, type: 'image', content, ...fields })
    },
    /** The bytes behind one of our own addresses. */
    download: async (url: string, as?: TestUser) => {
      const {
        statusCode: status,
        headers,
        rawPayload,
      } = await library.http.inject({
        url,
        headers: as?.headers ?? {},
      })
      return { status, headers, bytes: rawPayload }
    },
  }
}
