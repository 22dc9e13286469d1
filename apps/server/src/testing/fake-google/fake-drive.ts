import { matchesQuery } from './drive-query.ts'
import { driveError, type FakeCall, type FakeFile, type FakeReply } from './fake-wire.ts'

const SCOPE = 'https://www.googleapis.com/auth/drive.readonly'
const EMAIL = 'drive.owner@example.org'
const GOOGLE_TYPE = 'application/vnd.google-apps.'
const EXPORTS: Record<string, string[]> = {
  [`${GOOGLE_TYPE}document`]: ['text/plain', 'text/markdown', 'application/pdf'],
  [`${GOOGLE_TYPE}spreadsheet`]: ['text/csv', 'application/pdf'],
  [`${GOOGLE_TYPE}presentation`]: ['text/plain', 'application/pdf'],
}
const PATH = /^\/drive\/v3\/files\/(?<id>[^/]+)(?<isExport>\/export)?$/

/** Version 3 of Drive's API, as far as it lists and reads. */
export function createFakeDrive({
  findScopes,
}: {
  findScopes: (accessToken: string) => string[] | undefined
}) {
  const files: FakeFile[] = []

  function answer(call: FakeCall): FakeReply {
    const scopes = findScopes(/^Bearer (.+)$/.exec(call.authorization ?? '')?.[1] ?? '')
    if (scopes === undefined) {
      return driveError({ status: 401, reason: 'authError', message: 'Invalid Credentials' })
    }
    if (!scopes.includes(SCOPE)) {
      const message = 'Request had insufficient authentication scopes.'
      return driveError({ status: 403, reason: 'insufficientPermissions', message })
    }
    if (call.method !== 'GET') return notFound(call.path)
    if (call.path === '/drive/v3/about') return about(call)
    if (call.path === '/drive/v3/files') return list(call)
    const { id = '', isExport } = PATH.exec(call.path)?.groups ?? {}
    const file = files.find((one) => one.id === decodeURIComponent(id))
    if (file === undefined) return notFound(id)
    if (isExport !== undefined) return exportFile(file, call.query.mimeType ?? '')
    return call.query.alt === 'media' ? download(file) : { status: 200, body: pick(toJson(file), call.query) }
  }

  function list({ query }: FakeCall): FakeReply {
    const { q = '', pageToken, pageSize = '100', orderBy } = query
    const size = Number(pageSize)
    if (!Number.isInteger(size) || size < 1 || size > 1000) return invalid('pageSize')
    const start = pageToken === undefined ? 0 : readPageToken(pageToken)
    if (start === undefined) return invalid('pageToken')
    let found: FakeFile[]
    try {
      found = files.filter((file) => matchesQuery({ file, query: q }))
    } catch {
      return invalid('q')
    }
    if (orderBy === 'modifiedTime desc') {
      found = found.toSorted((a, b) => (b.modifiedTime ?? '').localeCompare(a.modifiedTime ?? ''))
    } else if (orderBy !== undefined) return invalid('orderBy')
    const page = found.slice(start, start + size)
    const end = start + size
    const body = {
      kind: 'drive#fileList',
      incompleteSearch: false,
      ...(end < found.length ? { nextPageToken: makePageToken(end) } : {}),
      files: page.map(toJson),
    }
    return { status: 200, body: pick(body, query) }
  }

  return { answer, addFiles: (...added: FakeFile[]) => void files.push(...added) }
}

function about({ query }: FakeCall): FakeReply {
  if (query.fields === undefined) {
    const message = "The 'fields' parameter is required for this method."
    return driveError({ status: 400, reason: 'required', message, location: 'fields' })
  }
  const user = { kind: 'drive#user', displayName: 'Drive Owner', emailAddress: EMAIL, me: true }
  return { status: 200, body: pick({ user }, query) }
}

function exportFile({ id, mimeType, content = '' }: FakeFile, wanted: string): FakeReply {
  const types = EXPORTS[mimeType]
  if (types === undefined) {
    const message = 'Export only supports Docs Editors files.'
    return driveError({ status: 403, reason: 'fileNotExportable', message })
  }
  if (!types.includes(wanted)) {
    const message = 'The requested conversion is not supported.'
    return driveError({ status: 400, reason: 'badRequest', message, location: 'convertTo' })
  }
  const bytes = Buffer.from(content)
  if (bytes.length > 10 * 1024 * 1024) {
    const message = 'This file is too large to be exported.'
    return driveError({ status: 403, reason: 'exportSizeLimitExceeded', message })
  }
  // As Google does: a byte-order mark before plain text.
  const mark = wanted === 'text/plain' ? Buffer.from([0xef, 0xbb, 0xbf]) : Buffer.alloc(0)
  return {
    status: 200,
    body: Buffer.concat([mark, bytes]),
    headers: { 'content-type': wanted, 'x-file': id },
  }
}

function download({ mimeType, content = '' }: FakeFile): FakeReply {
  if (mimeType.startsWith(GOOGLE_TYPE)) {
    const message = 'Only files with binary content can be downloaded. Use Export with Docs Editors files.'
    return driveError({ status: 403, reason: 'fileNotDownloadable', message, location: 'alt' })
  }
  return { status: 200, body: Buffer.from(content), headers: { 'content-type': mimeType } }
}

function toJson({ content = '', trashed = false, ...file }: FakeFile) {
  const size = file.mimeType.startsWith(GOOGLE_TYPE) ? {} : { size: String(Buffer.byteLength(content)) }
  return { kind: 'drive#file', ...file, ...size, trashed }
}

/** The part of the reply that `fields` names: `a,b(c,d)`. */
function pick(body: Record<string, unknown>, { fields }: Record<string, string>): unknown {
  if (fields === undefined) return body
  const wanted = [...fields.matchAll(/(\w+)(?:\(([^)]*)\))?/g)]
  const entries = wanted.flatMap(([, name = '', inner]) => {
    const value = body[name]
    if (value === undefined) return []
    if (inner === undefined) return [[name, value]]
    const pickInner = (one: unknown) => pick(one as Record<string, unknown>, { fields: inner })
    return [[name, Array.isArray(value) ? value.map(pickInner) : pickInner(value)]]
  })
  return Object.fromEntries(entries)
}

function makePageToken(start: number): string {
  return `~!!~${Buffer.from(`page:${start}`).toString('base64url')}`
}

function readPageToken(token: string): number | undefined {
  const text = token.startsWith('~!!~') ? Buffer.from(token.slice(4), 'base64url').toString() : ''
  const start = /^page:(\d+)$/.exec(text)?.[1]
  return start === undefined ? undefined : Number(start)
}

function invalid(location: string): FakeReply {
  return driveError({ status: 400, reason: 'invalid', message: 'Invalid Value', location })
}

function notFound(id: string): FakeReply {
  const message = `File not found: ${id}.`
  return driveError({ status: 404, reason: 'notFound', message, location: 'fileId' })
}
