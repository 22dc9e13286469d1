import { DamagedFile, damaged, type Picture, sliceOf } from './damaged-file.ts'
import { orientationOf, tiffOf, turned } from './orientation.ts'

const HEADER_LENGTH = 12
const CHUNK_HEADER_LENGTH = 8
const HAS_ALPHA = 0x10
const HAS_EXIF = 0x08
/** Some programs write it before the TIFF, as JPEG has it. */
const EXIF = Buffer.from('Exif\0\0', 'latin1')

/**
 * The picture alone: no EXIF, XMP, colour profile or chunk of another kind. How it is to be turned is said anew, as
 * nobody could tell it from the pixels.
 */
export function cleanWebp(bytes: Buffer): Picture {
  const parts: Buffer[] = []
  let canvas: { width: number; height: number; plain: Buffer } | undefined
  let orientation = 1
  let pixels: { width: number; height: number } | undefined
  const end = Math.min(bytes.length, bytes.readUInt32LE(4) + CHUNK_HEADER_LENGTH)
  // What ends a file may be too short for a chunk.
  for (let at = HEADER_LENGTH; pixels === undefined ? at < end : at + CHUNK_HEADER_LENGTH <= end; ) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = sliceOf(bytes, { start: at, length: CHUNK_HEADER_LENGTH }).readUInt32LE(4)
    const start = at + CHUNK_HEADER_LENGTH
    const content = sliceOf(bytes, { start, length })
    // A byte fills an odd length.
    at = start + length + (length % 2)
    if (type === 'ANIM' || type === 'ANMF') throw new DamagedFile('Animated images are not supported')
    if (type === 'EXIF' && orientation === 1) orientation = orientationOf(withoutMark(content))
    if (pixels !== undefined) continue
    if (type === 'VP8X') {
      if (length !== 10 || canvas !== undefined) throw damaged()
      const plain = Buffer.from(content)
      plain.fill(0, 0, 4)
      plain[0] = (content[0] ?? 0) & HAS_ALPHA
      canvas = { width: content.readUIntLE(4, 3) + 1, height: content.readUIntLE(7, 3) + 1, plain }
    } else if (type === 'ALPH') parts.push(chunkOf(type, content))
    else if (type === 'VP8 ' || type === 'VP8L') {
      pixels = type === 'VP8 ' ? sizeOfLossy(content) : sizeOfLossless(content)
      parts.push(chunkOf(type, content))
    }
  }
  if (pixels === undefined) throw damaged()
  // Without a canvas the pixels are all that a decoder looks at.
  if (canvas === undefined) return { bytes: riffOf(bytes, parts), ...pixels }
  const { plain } = canvas
  if (orientation > 1) {
    plain[0] = (plain[0] ?? 0) | HAS_EXIF
    parts.push(chunkOf('EXIF', tiffOf(orientation)))
  }
  return { bytes: riffOf(bytes, [chunkOf('VP8X', plain), ...parts]), ...turned(canvas, orientation) }
}

function riffOf(bytes: Buffer, chunks: Buffer[]): Buffer {
  const header = Buffer.from(bytes.subarray(0, HEADER_LENGTH))
  const body = Buffer.concat(chunks)
  header.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([header, body])
}

function withoutMark(exif: Buffer): Buffer {
  return exif.subarray(0, EXIF.length).equals(EXIF) ? exif.subarray(EXIF.length) : exif
}

function chunkOf(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(CHUNK_HEADER_LENGTH)
  header.write(type, 'latin1')
  header.writeUInt32LE(content.length, 4)
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)])
}

function sizeOfLossy(content: Buffer) {
  if (content.length < 10 || content.readUIntBE(3, 3) !== 0x9d012a) throw damaged()
  return { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff }
}

function sizeOfLossless(content: Buffer) {
  if (content.length < 5 || content[0] !== 0x2f) throw damaged()
  const bits = content.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
