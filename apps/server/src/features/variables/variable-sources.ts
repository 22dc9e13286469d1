import type { AttachmentKind } from '@catenary/contracts'
import { attachmentMark, formatJson } from '@catenary/domain'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import type { Log } from '../../platform/log/log.ts'
import { OutboundError } from '../../platform/outbound/outbound.ts'
import { readText } from '../files/files.ts'
import { readDriveFile } from '../google-drive/google-drive.ts'
import { openHeaders } from './variable-headers.ts'
import type { VariableRecord } from './variables.sql.ts'

export type SourceRecord = Pick<
  VariableRecord,
  | 'id'
  | 'ownerId'
  | 'type'
  | 'content'
  | 'attachment'
  | 'apiUrl'
  | 'apiHeaders'
  | 'googleDriveFileId'
  | 'googleDriveFileName'
  | 'googleDriveMimeType'
  | 'cacheSeconds'
  | 'revision'
  | 'isPublic'
>

export interface SourceRequest {
  variable: SourceRecord
  signal: AbortSignal
}

interface AddressRequest {
  url: string
  headers: Record<string, string>
  signal: AbortSignal
}

interface SourceText {
  text: string
  contentType: string
}

/** Why there is no value, in one sentence for a person. */
export class SourceError extends Error {
  /** Nothing was sent: the address is not one that may be fetched. */
  readonly isRefused: boolean

  constructor(message: string, { isRefused = false, cause }: { isRefused?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isRefused = isRefused
  }
}

const TEXT = 'text/plain; charset=utf-8'
const JSON_TYPE = /^application\/(.+\+)?json\b/i

export async function readSource(ctx: Context, request: SourceRequest): Promise<SourceText> {
  try {
    return await read(ctx, request)
  } catch (error) {
    throw toSourceError(error, ctx.log)
  }
}

export async function readAddress(ctx: Context, request: AddressRequest): Promise<SourceText> {
  try {
    return await fetchAddress(ctx, request)
  } catch (error) {
    throw toSourceError(error, ctx.log)
  }
}

async function read(ctx: Context, { variable, signal }: SourceRequest): Promise<SourceText> {
  const missing = missingSource(variable)
  if (missing !== undefined) throw new SourceError(missing)
  if (variable.type === 'file') return readFile(ctx, variable)
  if (variable.type === 'api') return fetchApi(ctx, { variable, signal })
  if (variable.type === 'googleDrive') return readDrive(ctx, { variable, signal })
  if (isMedia(variable.type)) return { text: markOf(variable), contentType: TEXT }
  return { text: variable.content, contentType: TEXT }
}

async function readFile(ctx: Context, { ownerId, content: key }: SourceRecord): Promise<SourceText> {
  const text = await readText(ctx, { ownerId, key })
  if (text === undefined) throw new SourceError('The file is no longer there. Upload it again.')
  return { text, contentType: TEXT }
}

async function fetchAddress({ outbound }: Context, request: AddressRequest): Promise<SourceText> {
  const { text, contentType } = await outbound.fetchText(request)
  const json = JSON_TYPE.test(contentType) ? formatJson(text) : undefined
  return { text: json ?? text, contentType }
}

async function fetchApi(ctx: Context, { variable, signal }: SourceRequest): Promise<SourceText> {
  const { id: variableId, apiUrl, apiHeaders: sealed } = variable
  const headers = openHeaders(ctx, { place: { variableId, apiUrl }, sealed })
  if (headers === undefined) throw new SourceError('A header can no longer be read. Enter it again.')
  return fetchAddress(ctx, { url: apiUrl, headers, signal })
}

async function readDrive(ctx: Context, { variable, signal }: SourceRequest): Promise<SourceText> {
  const { ownerId, googleDriveFileId: fileId } = variable
  const { text } = await readDriveFile(ctx, { ownerId, fileId, signal })
  if (text.includes('\0')) throw new SourceError('The file contains something other than text')
  return { text: text.toWellFormed(), contentType: TEXT }
}

export function isMedia(type: VariableRecord['type']): type is AttachmentKind {
  return type === 'image' || type === 'document'
}

function markOf({ attachment }: SourceRecord): string {
  if (attachment === null) throw new SourceError('The file is no longer there. Upload it again.')
  return attachmentMark(attachment)
}

/** Where the value comes from, as a run keeps it: without a query, which may hold a key. */
export function describeSource(variable: SourceRecord): string | null {
  const { type, content, apiUrl, googleDriveFileName, googleDriveFileId } = variable
  if (type === 'text') return null
  if (type === 'file' || isMedia(type)) return content
  if (type === 'googleDrive') return googleDriveFileName || googleDriveFileId
  return withoutQuery(apiUrl)
}

export function withoutQuery(apiUrl: string): string {
  const url = URL.parse(apiUrl)
  return url === null ? '' : `${url.origin}${url.pathname}`
}

/** What the variable lacks, in the specification's words. */
export function missingSource({
  type,
  content,
  apiUrl,
  googleDriveFileId,
}: Pick<SourceRecord, 'type' | 'content' | 'apiUrl' | 'googleDriveFileId'>): string | undefined {
  if (type === 'file' && content === '') return 'No file path specified'
  if (type === 'api' && apiUrl === '') return 'No API URL specified'
  if (type === 'googleDrive' && googleDriveFileId === '') return 'No Google Drive file specified'
  if (isMedia(type) && content === '') return `No ${type} specified`
  return undefined
}

function toSourceError(error: unknown, log: Log): SourceError {
  if (error instanceof SourceError) return error
  if (error instanceof OutboundError) {
    const isRefused = error.code === 'blocked' || error.code === 'invalid_url'
    return new SourceError(error.message, { isRefused, cause: error })
  }
  if (error instanceof AppError) return new SourceError(error.message, { cause: error })
  log.error({ err: error }, "a variable's value could not be read")
  return new SourceError('The value could not be read', { cause: error })
}
