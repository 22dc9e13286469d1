import { DOCUMENT_MAX_PAGES, type MediaType } from '@catenary/contracts'
import { cleanJpeg } from './clean-jpeg.ts'
import { cleanWebp } from './clean-webp.ts'
import { countPages } from './count-pages.ts'
import { DamagedFile, damaged, type Picture, sliceOf } from './damaged-file.ts'

/** The longest side that every vendor takes. */
const SIDE_MAX = 8_000

export interface CleanFile {
  mediaType: MediaType
  width: number | null
  height: number | null
  bytes: Uint8Array
}

/** The file as it may be kept, or why not. Pixels stay packed as they are; a PDF stays as it is. */
export default function work({ bytes }: { bytes: Uint8Array }): CleanFile | { refusal: string } {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return clean(all)
  } catch (error) {
    if (error instanceof DamagedFile) return { refusal: error.message }
    // A number stands beyond the end.
    if (error instanceof RangeError) return { refusal: 'The file is damaged' }
    throw error
  }
}

function clean(bytes: Buffer): CleanFile | { refusal: string } {
  const mediaType = typeOf(bytes)
  if (mediaType === undefined) {
    return { refusal: 'Only PNG, JPEG and WebP images and PDF documents are supported' }
  }
  if (mediaType === 'application/pdf') {
    checkPdf(bytes)
    return { mediaType, width: null, height: null, bytes }
  }
  const picture = CLEANERS[mediaType](bytes)
  const { width, height } = picture
  if (width < 1 || height < 1) return { refusal: 'The image has no size' }
  if (width > SIDE_MAX || height > SIDE_MAX) {
    const most = SIDE_MAX.toLocaleString('en')
    return { refusal: `The picture is ${width} × ${height}; each side can be at most ${most} pixels` }
  }
  return { mediaType, ...picture }
}

const CLEANERS = { 'image/png': cleanPng, 'image/jpeg': cleanJpeg, 'image/webp': cleanWebp }

/** By its first bytes; the name and what a server says of it count for nothing. */
function typeOf(bytes: Buffer): MediaType | undefined {
  const begins = bytes.toString('latin1', 0, 12)
  if (begins.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (begins.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (begins.startsWith('RIFF') && begins.slice(8) === 'WEBP') return 'image/webp'
  if (begins.startsWith('%PDF-')) return 'application/pdf'
  return undefined
}

/** A program may have written lines after the end. */
const TAIL = 2_048
/** A dictionary that ends a PDF is shorter. */
const TRAILER = 4_096

/** Throws for a PDF that is cut off, that only a password opens, or that has more pages than vendors read. */
function checkPdf(bytes: Buffer): void {
  const tail = bytes.toString('latin1', Math.max(bytes.length - TAIL, 0))
  const [, offset] = /startxref\s+(\d{1,10})\s+%%EOF/.exec(tail.slice(tail.lastIndexOf('startxref'))) ?? []
  if (offset === undefined) throw damaged()
  const table = Number(offset)
  // An older table is followed by its trailer, a newer one begins with what a trailer says.
  const trailer = bytes.lastIndexOf('trailer')
  const ends = [trailer, table].filter((at) => at >= 0 && at < bytes.length)
  const isEncrypted = ends.some((at) => bytes.toString('latin1', at, at + TRAILER).includes('/Encrypt'))
  if (isEncrypted) throw new DamagedFile('The PDF is encrypted. Save it without a password first.')
  const pages = countPages(bytes)
  if (pages !== undefined && pages > DOCUMENT_MAX_PAGES) {
    throw new DamagedFile(`The PDF has ${pages} pages; at most ${DOCUMENT_MAX_PAGES} are allowed`)
  }
}

/** The picture, its palette and what its colours mean; no text, time, profile, thumbnail or animation. */
const KEPT = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS'],
  ...['gAMA', 'cHRM', 'sRGB', 'sBIT', 'cICP', 'bKGD'],
])
const SIGNATURE_LENGTH = 8
const FRAME_LENGTH = 12

function cleanPng(bytes: Buffer): Picture {
  const parts = [bytes.subarray(0, SIGNATURE_LENGTH)]
  let size: { width: number; height: number } | undefined
  let hasPixels = false
  for (let at = SIGNATURE_LENGTH; ; ) {
    const length = sliceOf(bytes, { start: at, length: 8 }).readUInt32BE(0)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const chunk = sliceOf(bytes, { start: at, length: length + FRAME_LENGTH })
    at += chunk.length
    if (size === undefined) {
      if (type !== 'IHDR' || length !== 13) throw damaged()
      size = { width: chunk.readUInt32BE(8), height: chunk.readUInt32BE(12) }
    }
    if (type === 'IDAT') hasPixels = true
    if (KEPT.has(type)) parts.push(chunk)
    if (type === 'IEND') break
  }
  if (!hasPixels) throw damaged()
  return { bytes: Buffer.concat(parts), ...size }
}
