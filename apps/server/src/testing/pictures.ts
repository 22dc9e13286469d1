import { crc32, deflateSync } from 'node:zlib'

/** Words that tell where and by what a picture was taken: none may be left of them. */
export const TELLTALES = ['Telltale Camera', '59.3293', 'Anna Telltale']
const TELLTALE = TELLTALES.join(', ')

const TINY_JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q==',
  'base64',
)
const TINY_WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')

interface Picture {
  width?: number
  height?: number
  /** Says of place, device and person what pictures say. */
  tells?: boolean
}

/** A PNG of one colour. */
export function makePng({ width = 4, height = 3, tells = false }: Picture = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const rows = Buffer.alloc((width * 3 + 1) * height, 90)
  for (let row = 0; row < height; row += 1) rows[row * (width * 3 + 1)] = 0
  const notes = [
    pngChunk('tEXt', Buffer.from(`Author\0${TELLTALE}`, 'latin1')),
    pngChunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta>${TELLTALE}</x:xmpmeta>`)),
    pngChunk('eXIf', exif(1)),
    pngChunk('tIME', Buffer.from([7, 234, 11, 24, 9, 0, 0])),
    pngChunk('prIv', Buffer.from(TELLTALE)),
  ]
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...(tells ? notes : []),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
    ...(tells ? [Buffer.from(TELLTALE)] : []),
  ])
}

/** A JPEG of that size by its header. */
export function makeJpeg({
  width = 1,
  height = 1,
  tells = false,
  orientation = 1,
}: Picture & { orientation?: number } = {}): Buffer {
  const bytes = Buffer.from(TINY_JPEG)
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc2]))
  bytes.writeUInt16BE(height, frame + 5)
  bytes.writeUInt16BE(width, frame + 7)
  const notes = [
    jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif(orientation)])),
    jpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${TELLTALE}</x:xmpmeta>`)),
    jpegSegment(0xed, Buffer.from(`Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x20${TELLTALE}`, 'latin1')),
    jpegSegment(0xe7, Buffer.from(TELLTALE)),
    jpegSegment(0xfe, Buffer.from(TELLTALE)),
  ]
  return Buffer.concat([
    bytes.subarray(0, 2),
    ...(tells ? notes : []),
    bytes.subarray(2),
    ...(tells ? [Buffer.from(TELLTALE)] : []),
  ])
}

/** A WebP of one pixel, with a canvas of that size where notes stand beside it. */
export function makeWebp({
  width = 1,
  height = 1,
  tells = false,
  orientation = 1,
}: Picture & { orientation?: number } = {}): Buffer {
  if (!tells) return TINY_WEBP
  const canvas = Buffer.alloc(10)
  // It has EXIF and XMP.
  canvas[0] = 0x0c
  canvas.writeUIntLE(width - 1, 4, 3)
  canvas.writeUIntLE(height - 1, 7, 3)
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    riffChunk('VP8X', canvas),
    TINY_WEBP.subarray(12),
    riffChunk('EXIF', exif(orientation)),
    riffChunk('XMP ', Buffer.from(`<x:xmpmeta>${TELLTALE}</x:xmpmeta>`)),
    riffChunk('junk', Buffer.from(TELLTALE)),
  ])
  return Buffer.concat([riffHeader(body.length), body, Buffer.from(TELLTALE)])
}

/** A PDF of empty pages; packed: its objects are in a stream, as newer programs write them. */
export function makePdf({
  encrypted = false,
  pages = 1,
  packed = false,
}: {
  encrypted?: boolean
  pages?: number
  packed?: boolean
} = {}): Buffer {
  const numbers = Array.from({ length: pages }, (_, index) => index + 3)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${pages} >>`,
    ...numbers.map(() => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>'),
  ]
  return packed ? packObjects(objects) : listObjects(objects, encrypted ? ' /Encrypt 9 0 R' : '')
}

function listObjects(objects: readonly string[], lock: string): Buffer {
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = text.length
  const size = objects.length + 1
  const rows = offsets.map((at) => `${`${at}`.padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R${lock} >>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

function packObjects(objects: readonly string[]): Buffer {
  const begins = objects.map((_, index) => objects.slice(0, index).join(' ').length + Math.min(index, 1))
  const head = `${begins.map((at, index) => `${index + 1} ${at}`).join(' ')} `
  const [holder, table] = [objects.length + 1, objects.length + 2]
  const kept = `/Type /ObjStm /N ${objects.length} /First ${head.length}`
  const begin = Buffer.from('%PDF-1.5\n')
  const stream = pdfStream(holder, kept, Buffer.from(head + objects.join(' ')))
  // A row each: free, in the stream, the stream itself, this table.
  const rows = [
    [0, 0, 255],
    ...objects.map((_, index) => [2, holder, index]),
    [1, begin.length, 0],
    [1, begin.length + stream.length, 0],
  ].map(([kind = 0, where = 0, index = 0]) => Buffer.from([kind, where >> 16, where >> 8, where, index]))
  const entries = `/Type /XRef /Size ${table + 1} /W [1 3 1] /Root 1 0 R`
  return Buffer.concat([
    ...[begin, stream, pdfStream(table, entries, Buffer.concat(rows))],
    Buffer.from(`startxref\n${begin.length + stream.length}\n%%EOF\n`),
  ])
}

function pdfStream(number: number, entries: string, content: Buffer): Buffer {
  const packed = deflateSync(content)
  const dictionary = `<< ${entries} /Filter /FlateDecode /Length ${packed.length} >>`
  return Buffer.concat([
    Buffer.from(`${number} 0 obj\n${dictionary}\nstream\n`),
    packed,
    Buffer.from('\nendstream\nendobj\n'),
  ])
}

/** TIFF with a camera's name, how to turn the picture, and where it was taken. */
function exif(orientation: number): Buffer {
  const text = Buffer.from(`${TELLTALE}\0`)
  const tiff = Buffer.alloc(8 + 2 + 3 * 12 + 4 + 2 + 12 + 4)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  const entry = (at: number, [tag, type, count, value]: [number, number, number, number]) => {
    tiff.writeUInt16LE(tag, at)
    tiff.writeUInt16LE(type, at + 2)
    tiff.writeUInt32LE(count, at + 4)
    tiff.writeUInt32LE(value, at + 8)
  }
  tiff.writeUInt16LE(3, 8)
  entry(10, [0x0110, 2, text.length, tiff.length])
  entry(22, [0x0112, 3, 1, orientation])
  // The directory of the place, with one entry: its version.
  entry(34, [0x8825, 4, 1, 50])
  tiff.writeUInt16LE(1, 50)
  entry(52, [0, 1, 4, 0x00000302])
  return Buffer.concat([tiff, text])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

function jpegSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

function riffChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

function riffHeader(length: number): Buffer {
  const head = Buffer.alloc(8)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(length, 4)
  return head
}
