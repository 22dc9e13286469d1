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
import type { Database } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import type { BoundedWork } from '../../platform/bounded/bounded-work.ts'
import { cleanFile } from '../../platform/media/clean-file.ts'
import { type Outbound, OutboundError } from '../../platform/outbound/outbound.ts'
import { type FileBytes, fileBytesInDatabase } from './file-bytes.repository.ts'
import { cleanName, toFileKey } from './file-key.ts'
import {
  createMedia,
  findOptionalMedia,
  listMediaByKeys,
  type MediaRow,
  renewMedia,
} from './files.repository.ts'

export interface MediaDeps {
  db: Database
  now: () => Date
  bounded: BoundedWork
  outbound: Pick<Outbound, 'fetchBytes'>
  store?: FileBytes
}

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

/** Images and PDFs, each with its bytes: kept without what they say of place and device. */
export function createMediaService({ db, now, bounded, outbound, store = fileBytesInDatabase }: MediaDeps) {
  async function readSent({ data, url, signal }: NewFile): Promise<Buffer> {
    if (url === undefined) return Buffer.from(data ?? '', 'base64')
    try {
      return await outbound.fetchBytes({ url, signal, maxBytes: DOCUMENT_MAX_BYTES })
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      const isRefused = error.code === 'blocked' || error.code === 'invalid_url'
      throw isRefused ? fieldError('url', error.message) : new AppError('upstream', error.message)
    }
  }

  return {
    /** Keeps it; the same bytes under the same name are kept once. Throws `invalid`, `too_large` and `upstream`. */
    async storeMedia(file: NewFile): Promise<StoredFile> {
      const { userId: ownerId, signal, url } = file
      const field = url === undefined ? 'data' : 'url'
      const sent = await readSent(file)
      if (sent.length > DOCUMENT_MAX_BYTES) throw mediaTooLarge('document')
      const cleaned = await cleanFile({ bytes: sent }, { bounded, owner: ownerId, signal })
      if ('refusal' in cleaned) throw fieldError(field, cleaned.refusal)
      const { mediaType, width, height, bytes } = cleaned
      const kind = kindOfMedia(mediaType)
      if (bytes.length > MAX_BYTES[kind]) throw mediaTooLarge(kind)
      const fileName = nameOf({ ...file, mediaType })
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const facts = { ownerId, fileName, mediaType, width, height, bytes: bytes.length, sha256 }
      return db.transaction(async (tx) => {
        for (let timestamp = now().getTime(); ; timestamp += 1) {
          const known = await renewMedia(tx, facts)
          if (known !== undefined) return toStored(known)
          const created = await createMedia(tx, { ...facts, key: toFileKey({ fileName, timestamp }) })
          if (created === undefined) continue
          await store.put(tx, { fileId: created.fileId, bytes })
          return toStored(created)
        }
      })
    },

    /** The facts of each key that is an image or a PDF of that person. */
    async findMedia({
      ownerId,
      keys,
    }: {
      ownerId: number
      keys: string[]
    }): Promise<Map<string, Attachment>> {
      if (keys.length === 0) return new Map()
      const found = await listMediaByKeys(db, { ownerId, keys })
      return new Map(found.map((row) => [row.key, toAttachment(row)]))
    },

    /** Undefined where it is no image or PDF, or gone; the caller has checked who may see it. */
    async readMedia(fileId: number): Promise<{ file: MediaRow; bytes: Buffer } | undefined> {
      const file = await findOptionalMedia(db, fileId)
      const bytes = file && (await store.get(db, fileId))
      return file && bytes && { file, bytes }
    },
  }
}

export type MediaService = ReturnType<typeof createMediaService>

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

/** The reply to an upload of more than its kind may have. */
export function mediaTooLarge(kind: AttachmentKind): AppError {
  const most = kind === 'image' ? 'An image may have 3.75 MB' : 'A PDF may have 10 MB'
  return new AppError('too_large', `${most} at most`)
}
