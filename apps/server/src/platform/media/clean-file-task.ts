import type { MediaType } from '@catenary/contracts'
import { checkPdf } from './check-pdf.ts'
import { cleanJpeg } from './clean-jpeg.ts'
import { cleanPng } from './clean-png.ts'
import { cleanWebp } from './clean-webp.ts'
import { DamagedFile } from './damaged-file.ts'

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
    return { refusal: 'Only PNG, JPEG and WebP images and PDF documents are taken, and this is none of them' }
  }
  if (mediaType === 'application/pdf') {
    checkPdf(bytes)
    return { mediaType, width: null, height: null, bytes }
  }
  const picture = CLEANERS[mediaType](bytes)
  const { width, height } = picture
  if (width < 1 || height < 1) return { refusal: 'The picture has no size' }
  if (width > SIDE_MAX || height > SIDE_MAX) {
    const most = SIDE_MAX.toLocaleString('en')
    return { refusal: `The picture is ${width} × ${height}: a side may have ${most} pixels at most` }
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
