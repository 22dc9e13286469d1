import type { DriveFileList, DriveFilesQuery } from '@catenary/contracts'
import * as z from 'zod'
import { AppError } from '../../errors.ts'
import type { ServiceReply } from '../../platform/outbound/service-client.ts'
import { googleFailed } from './drive-errors.ts'
import { type CallGoogle, type GoogleSettings, readJson } from './google-client.ts'

const PAGE_SIZE = 30
const TEXT_MAX_BYTES = 1_048_576
const FILE_ID = /^[A-Za-z0-9_-]{1,200}$/

const listReply = z.object({
  files: z.array(
    z.object({ id: z.string(), name: z.string(), mimeType: z.string(), modifiedTime: z.string().optional() }),
  ),
  nextPageToken: z.string().optional(),
})
const fileReply = z.object({
  name: z.string(),
  mimeType: z.string(),
  size: z.string().optional(),
})
const aboutReply = z.object({ user: z.object({ emailAddress: z.string().optional() }) })
const errorReply = z.object({
  error: z.object({ errors: z.array(z.object({ reason: z.string() })).default([]) }),
})

interface Caller {
  accessToken: string
  signal?: AbortSignal | undefined
}

export class AccessRefused extends Error {
  override name = 'AccessRefused'
}

/** The wire of Drive's API, version 3. Each call throws AccessRefused, or an AppError in our own words. */
export function createDriveApi({ google, call }: { google: GoogleSettings; call: CallGoogle }) {
  async function get({
    path,
    query = {},
    accessToken,
    ...rest
  }: Caller & { path: string; query?: Record<string, string>; maxBytes?: number }): Promise<ServiceReply> {
    const url = new URL(`${google.driveUrl.replace(/\/+$/, '')}/${path}`)
    url.search = new URLSearchParams(query).toString()
    const reply = await call({ ...rest, url, headers: { authorization: `Bearer ${accessToken}` } })
    if (reply.status !== 200) throw toError(reply)
    return reply
  }

  async function getJson<T>({ schema, ...request }: Parameters<typeof get>[0] & { schema: z.ZodType<T> }) {
    const parsed = schema.safeParse(readJson(await get(request)))
    if (!parsed.success) throw googleFailed('Google Drive sent an unexpected answer. Try again.')
    return parsed.data
  }

  return {
    async findOwner(caller: Caller): Promise<string | undefined> {
      const query = { fields: 'user(emailAddress)' }
      const { user } = await getJson({ ...caller, path: 'about', query, schema: aboutReply })
      return user.emailAddress
    },

    async list({ search, pageToken, ...caller }: DriveFilesQuery & Caller): Promise<DriveFileList> {
      const query = {
        q: toQuery(search),
        orderBy: 'modifiedTime desc',
        pageSize: String(PAGE_SIZE),
        fields: 'nextPageToken,files(id,name,mimeType,modifiedTime)',
        supportsAllDrives: 'true',
        includeItemsFromAllDrives: 'true',
        ...(pageToken === undefined ? {} : { pageToken }),
      }
      const page = await getJson({ ...caller, path: 'files', query, schema: listReply })
      const files = page.files.map(({ modifiedTime, ...file }) => ({
        ...file,
        modifiedAt: modifiedTime ?? null,
      }))
      return { files, nextPageToken: page.nextPageToken ?? null }
    },

    async read({ fileId, ...caller }: Caller & { fileId: string }): Promise<{ name: string; text: string }> {
      if (!FILE_ID.test(fileId)) throw new AppError('invalid', 'This is not the id of a Google Drive file')
      const path = `files/${fileId}`
      const shared = { supportsAllDrives: 'true' }
      const { name, mimeType, size } = await getJson({
        ...caller,
        path,
        query: { ...shared, fields: 'name,mimeType,size' },
        schema: fileReply,
      })
      if (Number(size ?? 0) > TEXT_MAX_BYTES) throw tooLarge(name)
      const exportType = EXPORTS[mimeType]
      if (exportType === undefined && mimeType.startsWith('application/vnd.google-apps.')) throw noText(name)
      const reply =
        exportType === undefined
          ? await get({ ...caller, path, query: { ...shared, alt: 'media' }, maxBytes: TEXT_MAX_BYTES })
          : await get({
              ...caller,
              path: `${path}/export`,
              query: { mimeType: exportType },
              maxBytes: TEXT_MAX_BYTES,
            })
      if (reply.isCut) throw tooLarge(name)
      return { name, text: toText({ body: reply.body, name }) }
    },
  }
}

function toQuery(search: string): string {
  const types = TEXT_TYPES.map(({ type, isPrefix }) => `mimeType ${isPrefix ? 'contains' : '='} '${type}'`)
  const words = search.split(/\s+/).filter((word) => word !== '')
  const names = words.map((word) => `name contains '${word.replaceAll(/['\\]/g, '\\$&')}'`)
  return ['trashed = false', `(${types.join(' or ')})`, ...names].join(' and ')
}

function toText({ body, name }: { body: Buffer; name: string }): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    if (!text.includes('\0')) return text
  } catch {
    // The answer will not change.
  }
  throw noText(name)
}

function toError(reply: ServiceReply): Error {
  const { status } = reply
  if (status === 401) return new AccessRefused()
  const reasons = errorReply.safeParse(readJson(reply)).data?.error.errors.map(({ reason }) => reason) ?? []
  const isFor = (...known: string[]) => reasons.some((reason) => known.includes(reason))
  if (status === 403 && isFor('insufficientPermissions')) return new AccessRefused()
  if (isFor('rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded') || status === 429) {
    return googleFailed('Google Drive is being asked too often. Try again in a moment.')
  }
  if (isFor('accessNotConfigured')) {
    return googleFailed(
      'The Google Drive API is off for this installation. An administrator must enable it in the Google Cloud console.',
    )
  }
  if (isFor('exportSizeLimitExceeded')) return new AppError('too_large', 'The file is too large to read')
  if (status === 403) return new AppError('forbidden', 'Google Drive does not let you read this file')
  if (status === 404) return new AppError('not_found', 'This file is not in your Google Drive')
  if (status === 400) return new AppError('invalid', 'Google Drive rejected this request as invalid')
  return googleFailed(`Google Drive failed: it answered ${status}`)
}

function tooLarge(name: string): AppError {
  return new AppError('too_large', `‘${name}’ is larger than 1 MiB`)
}

function noText(name: string): AppError {
  return new AppError('invalid', `‘${name}’ is not text. Choose a document or a text file.`)
}

/** What a document of Google's is exported as; of a spreadsheet that is its first sheet. */
const EXPORTS: Record<string, string> = {
  'application/vnd.google-apps.document': 'text/plain',
  'application/vnd.google-apps.spreadsheet': 'text/csv',
  'application/vnd.google-apps.presentation': 'text/plain',
}

const TEXT_TYPES: { type: string; isPrefix?: boolean }[] = [
  ...Object.keys(EXPORTS).map((type) => ({ type })),
  { type: 'text/', isPrefix: true },
  { type: 'application/json' },
  { type: 'application/x-ndjson' },
  { type: 'application/xml' },
  { type: 'application/yaml' },
  { type: 'application/x-yaml' },
  { type: 'application/javascript' },
  { type: 'application/x-javascript' },
  { type: 'application/sql' },
  { type: 'application/x-sh' },
]
