import { DamagedFile, damaged, type Picture, sliceOf } from './damaged-file.ts'

const HEADER_LENGTH = 12
const CHUNK_HEADER_LENGTH = 8
const HAS_ALPHA = 0x10

/** The picture alone: no EXIF, XMP, colour profile or chunk of another kind. */
export function cleanWebp(bytes: Buffer): Picture {
  const parts: Buffer[] = []
  let canvas: { width: number; height: number } | undefined
  let pixels: { width: number; height: number } | undefined
  const end = Math.min(bytes.length, bytes.readUInt32LE(4) + CHUNK_HEADER_LENGTH)
  for (let at = HEADER_LENGTH; at < end && pixels === undefined; ) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = sliceOf(bytes, { start: at, length: CHUNK_HEADER_LENGTH }).readUInt32LE(4)
    const start = at + CHUNK_HEADER_LENGTH
    const content = sliceOf(bytes, { start, length })
    // A byte fills an odd length.
    at = start + length + (length % 2)
    if (type === 'ANIM' || type === 'ANMF') throw new DamagedFile('Animated pictures are not supported')
    if (type === 'VP8X') {
      if (length !== 10 || canvas !== undefined) throw damaged()
      canvas = { width: content.readUIntLE(4, 3) + 1, height: content.readUIntLE(7, 3) + 1 }
      const plain = Buffer.from(content)
      plain.fill(0, 0, 4)
      plain[0] = (content[0] ?? 0) & HAS_ALPHA
      parts.push(chunkOf(type, plain))
    } else if (type === 'ALPH') parts.push(chunkOf(type, content))
    else if (type === 'VP8 ' || type === 'VP8L') {
      pixels = type === 'VP8 ' ? sizeOfLossy(content) : sizeOfLossless(content)
      parts.push(chunkOf(type, content))
    }
  }
  if (pixels === undefined) throw damaged()
  const body = Buffer.concat(parts)
  const header = Buffer.from(bytes.subarray(0, HEADER_LENGTH))
  header.writeUInt32LE(body.length + 4, 4)
  return { bytes: Buffer.concat([header, body]), ...(canvas ?? pixels) }
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
