import { damaged, type Picture, sliceOf } from './damaged-file.ts'

/** The picture, its palette and what its colours mean; no text, time, profile, thumbnail or animation. */
const KEPT = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS'],
  ...['gAMA', 'cHRM', 'sRGB', 'sBIT', 'cICP', 'bKGD'],
])
const SIGNATURE_LENGTH = 8
const FRAME_LENGTH = 12

export function cleanPng(bytes: Buffer): Picture {
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
