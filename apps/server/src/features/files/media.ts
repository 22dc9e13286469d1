import { createHash } from 'node:crypto'
import {
  type Attachment,
  type AttachmentKind,
  DOCUMENT_MAX_BYTES,
  IMAGE_MAX_BYTES,
  kindOfMedia,
  type MediaType,
  type StoredFile,
  type StoreFileRequest,
} from '@catenary/contracts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { cleanFile } from '../../platform/media/clean-file.ts'
import { OutboundError } from '../../platform/outbound/outbound.ts'
import { recordActivity } from '../activity/activity.ts'
import { cleanName, toFileKey } from './file-key.ts'
import {
  createMedia,
  findOptionalFileBytes,
  findOptionalMedia,
  insertFileBytes,
  listMediaByKeys,
  type MediaRow,
  renewMedia,
} from './files.sql.ts'

interface NewFile extends StoreFileRequest {
  userId: number
  signal: AbortSignal
}

const EXTENSIONS: Record<MediaType, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
}
const MAX_BYTES: Record<AttachmentKind, number> = { image: IMAGE_MAX_BYTES, document: DOCUMENT_MAX_BYTES }

/** Keeps an image or a PDF without what it says of place and device; the same bytes under the same name are kept once. Throws `invalid`, `too_large` and `upstream`. */
export async function storeMedia(ctx: Context, file: NewFile): Promise<StoredFile> {
  const { userId: ownerId, signal, url } = file
  const field = url === undefined ? 'data' : 'url'
  const sent = await readSent(ctx, file)
  if (sent.length > DOCUMENT_MAX_BYTES) throw mediaTooLarge('document')
  const cleaned = await cleanFile({ bytes: sent }, { bounded: ctx.bounded, owner: ownerId, signal })
  if ('refusal' in cleaned) throw fieldError(field, cleaned.refusal)
  const { mediaType, width, height, bytes } = cleaned
  const kind = kindOfMedia(mediaType)
  if (bytes.length > MAX_BYTES[kind]) throw mediaTooLarge(kind)
  const fileName = nameOf({ ...file, mediaType })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const facts = { ownerId, fileName, mediaType, width, height, bytes: bytes.length, sha256 }
  return transaction(ctx, async (ctx) => {
    const { db, now } = ctx
    for (let timestamp = now().getTime(); ; timestamp += 1) {
      const known = await renewMedia(db, facts)
      if (known !== undefined) return toStored(known)
      const created = await createMedia(db, { ...facts, key: toFileKey({ fileName, timestamp }) })
      if (created === undefined) continue
      await insertFileBytes(db, { fileId: created.fileId, bytes })
      await recordActivity(ctx, { kind: 'file.uploaded', object: 'file', id: created.fileId })
      return toStored(created)
    }
  })
}

async function readSent({ outbound }: Context, { data, url, signal }: NewFile): Promise<Buffer> {
  if (url === undefined) return Buffer.from(data ?? '', 'base64')
  try {
    return await outbound.fetchBytes({ url, signal, maxBytes: DOCUMENT_MAX_BYTES })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const isRefused = error.code === 'blocked' || error.code === 'invalid_url'
    throw isRefused ? fieldError('url', error.message) : new AppError('upstream', error.message)
  }
}

export async function findMedia(
  { db }: SqlContext,
  { ownerId, keys }: { ownerId: number; keys: string[] },
): Promise<Map<string, Attachment>> {
  if (keys.length === 0) return new Map()
  const found = await listMediaByKeys(db, { ownerId, keys })
  return new Map(found.map((row) => [row.key, toAttachment(row)]))
}

export async function readMedia(
  { db }: SqlContext,
  fileId: number,
): Promise<{ file: MediaRow; bytes: Buffer } | undefined> {
  const file = await findOptionalMedia(db, fileId)
  const bytes = file && (await findOptionalFileBytes(db, fileId))
  return file && bytes && { file, bytes }
}

function toAttachment({ key: _, ownerId: __, ...facts }: MediaRow): Attachment {
  return facts
}

function toStored(row: MediaRow): StoredFile {
  return { ...toAttachment(row), filePath: row.key }
}

/** As it was given or as its address ends, with the extension of what it is. */
function nameOf({ fileName, url, mediaType }: NewFile & { mediaType: MediaType }): string {
  const ending = URL.parse(url ?? '')
    ?.pathname.split('/')
    .at(-1)
  const given = cleanName(fileName || ending || kindOfMedia(mediaType))
  const extension = EXTENSIONS[mediaType]
  const isNamed =
    given.toLowerCase().endsWith(`.${extension}`) || (extension === 'jpg' && /\.jpeg$/i.test(given))
  return isNamed ? given : `${given.replace(/\.[A-Za-z0-9]{1,5}$/, '')}.${extension}`
}

export function mediaTooLarge(kind: AttachmentKind): AppError {
  const most = kind === 'image' ? 'An image can be 3.75 MB' : 'A PDF can be 10 MB'
  return new AppError('too_large', `${most} at most`)
}
