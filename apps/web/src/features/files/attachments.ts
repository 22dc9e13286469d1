import {
  type Attachment,
  type AttachmentKind,
  DOCUMENT_MAX_BYTES,
  IMAGE_MAX_BYTES,
  kindOfMedia,
  MEDIA_TYPES,
  type StoreFileRequest,
} from '@catenary/contracts'
import { formatBytes } from '../../lib/text/bytes.ts'

export function fileNameOf(key: string): string {
  return key.replace(/^uploads\/\d+_/, '')
}

export function describeAttachment({ mediaType, width, height, bytes }: Attachment): string {
  const size = width === null || height === null ? '' : `${width} × ${height}, `
  return `${kindOfMedia(mediaType) === 'image' ? 'image' : 'PDF'} · ${size}${formatBytes(bytes)}`
}

export const MEDIA_WORDS: Record<AttachmentKind, { drop: string; bound: string }> = {
  image: { drop: 'Drop or paste an image here', bound: 'PNG, JPEG or WebP, at most 3.75 MB' },
  document: { drop: 'Drop or paste a PDF here', bound: 'PDF, at most 10 MB' },
}

type ReadMedia = { request: StoreFileRequest } | { problem: string }

export async function readMedia({ file, kind }: { file: File; kind: AttachmentKind }): Promise<ReadMedia> {
  const name = file.name || `pasted ${kind}`
  const types: readonly string[] = MEDIA_TYPES[kind]
  if (!types.includes(file.type)) {
    const wanted = kind === 'image' ? 'a PNG, JPEG or WebP image' : 'a PDF'
    return { problem: `${name} can’t be used. Choose ${wanted}.` }
  }
  // An image gets smaller as its metadata goes: the server has the last word.
  const most = kind === 'image' ? 2 * IMAGE_MAX_BYTES : DOCUMENT_MAX_BYTES
  if (file.size > most) {
    return { problem: `${name} is too large (${formatBytes(file.size)}): ${MEDIA_WORDS[kind].bound}.` }
  }
  try {
    return { request: { fileName: name, data: toBase64(new Uint8Array(await file.arrayBuffer())) } }
  } catch {
    return { problem: `${name} could not be read.` }
  }
}

/** How much is written as text at once: a call takes so many arguments. */
const SLICE = 0x6000

function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; start += SLICE) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + SLICE))))
  }
  return pieces.join('')
}
