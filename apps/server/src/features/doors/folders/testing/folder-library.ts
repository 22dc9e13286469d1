import { createHash } from 'node:crypto'
import type {
  CreatedFolderToken,
  CreateFolderTokenRequest,
  PushOutcome,
  PushRequest,
} from '@catenary/contracts'
import { expect } from 'vitest'
import type { TestUser } from '../../../../testing/harness.ts'
import type { Library } from '../../../../testing/library.ts'
import { readZip } from '../../../exports/testing/open-export.ts'

export const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

export async function createToken(
  library: Library,
  as: TestUser,
  may: Partial<CreateFolderTokenRequest> = { mayWrite: true },
): Promise<string> {
  const body = { name: 'CI', ...may }
  const reply = await library.request({ method: 'POST', url: '/api/folder-tokens', body, as })
  expect(reply.status, reply.text).toBe(201)
  return (reply.body as CreatedFolderToken).token
}

/** Short ways to call as a command does. */
export function folderOf(library: Library, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const send = (method: 'GET' | 'POST', url: string, body?: unknown) =>
    library.request({ method, url, headers, ...(body === undefined ? {} : { body }) })
  return {
    send,
    pull: async (label = 'latest') => {
      const reply = await library.http.inject({ url: `/api/folder?label=${label}`, headers })
      expect(reply.statusCode, reply.body).toBe(200)
      return readZip(reply.rawPayload)
    },
    push: async (files: PushRequest['files'], more: Partial<PushRequest> = {}): Promise<PushOutcome> => {
      const reply = await send('POST', '/api/folder/push', { files, dryRun: false, ...more })
      expect(reply.status, reply.text).toBe(200)
      return reply.body as PushOutcome
    },
  }
}
