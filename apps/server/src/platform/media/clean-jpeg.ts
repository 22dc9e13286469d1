import { damaged, type Picture, sliceOf } from './damaged-file.ts'
import { orientationOf, tiffOf, turned } from './orientation.ts'

const START = 0xd8
const END = 0xd9
const SCAN = 0xda
/** Tables, frames and what scans need; FF C8 is reserved. */
const KEPT = new Set([0xc4, 0xcc, 0xdb, 0xdc, 0xdd])
const FRAMES = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
const EXIF = Buffer.from('Exif\0\0', 'latin1')
const ADOBE = Buffer.from('Adobe', 'latin1')

interface Segment {
  marker: number
  whole: Buffer
  content: Buffer
}

/**
 * The picture alone: what no decoder needs is left out, wherever it stands, and what follows its end. How it is to be
 * turned is said anew, as nobody could tell it from the pixels.
 */
export function cleanJpeg(bytes: Buffer): Picture {
  const parts: Buffer[] = []
  let size: { width: number; height: number } | undefined
  let orientation = 1
  let hasScan = false
  let at = 2
  for (;;) {
    const marker = markerAt(bytes, at)
    if (marker.code === END) break
    const segment = segmentAt(bytes, marker)
    at = segment.end
    const { code } = marker
    const { whole, content } = segment
    if (code === 0xe1 && orientation === 1 && content.subarray(0, EXIF.length).equals(EXIF))
      orientation = orientationOf(content.subarray(EXIF.length))
    else if (FRAMES.has(code)) {
      if (content.length < 6 || size !== undefined) throw damaged()
      size = { height: content.readUInt16BE(1), width: content.readUInt16BE(3) }
      parts.push(whole)
    } else if (KEPT.has(code) || (code === 0xee && content.subarray(0, 5).equals(ADOBE))) parts.push(whole)
    else if (code === SCAN) {
      const end = scanEnd(bytes, at)
      parts.push(whole, bytes.subarray(at, end))
      hasScan = true
      at = end
      if (end === bytes.length) break
    }
  }
  if (size === undefined || !hasScan) throw damaged()
  const turn = orientation === 1 ? [] : [exifOf(orientation)]
  const whole = Buffer.concat([Buffer.from([0xff, START]), ...turn, ...parts, Buffer.from([0xff, END])])
  return { bytes: whole, ...turned(size, orientation) }
}

/** The next mark; any number of FF may stand before it. */
function markerAt(bytes: Buffer, from: number): { code: number; start: number; end: number } {
  let at = from
  while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1
  const code = bytes[at + 1]
  if (bytes[at] !== 0xff || code === undefined || code < 0xc0 || code === START) throw damaged()
  return { code, start: at, end: at + 2 }
}

function segmentAt(
  bytes: Buffer,
  { code, start, end }: ReturnType<typeof markerAt>,
): Omit<Segment, 'marker'> & { end: number } {
  // These have no length, and stand within scans only.
  if (code >= 0xd0 && code <= 0xd7) throw damaged()
  const length = sliceOf(bytes, { start: end, length: 2 }).readUInt16BE(0)
  if (length < 2) throw damaged()
  const content = sliceOf(bytes, { start: end + 2, length: length - 2 })
  return { whole: bytes.subarray(start, end + length), content, end: end + length }
}

/** Where a scan's packed data ends: at the next mark that is neither a stuffed byte nor a restart. */
function scanEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next === undefined) return at
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

function exifOf(orientation: number): Buffer {
  return Buffer.concat([Buffer.from('ffe10022', 'hex'), EXIF, tiffOf(orientation)])
}
