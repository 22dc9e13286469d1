const ORIENTATION = 0x0112
/** From here on width and height change places as the picture is turned. */
const TURNED = 5

/** How a picture is to be turned by its TIFF: 1–8 as EXIF has it; 1 where nothing sound says otherwise. */
export function orientationOf(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2)
  if ((order !== 'II' && order !== 'MM') || tiff.length < 8) return 1
  const short = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return 1
  const entries = Math.min(short(directory), Math.floor((tiff.length - directory - 2) / 12))
  for (let index = 0; index < entries; index += 1) {
    const entry = directory + 2 + index * 12
    if (short(entry) !== ORIENTATION) continue
    const value = short(entry + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

export function tiffOf(orientation: number): Buffer {
  return Buffer.from(
    `4d4d002a000000080001011200030000000100${orientation.toString().padStart(2, '0')}000000000000`,
    'hex',
  )
}

export function turned(
  { width, height }: { width: number; height: number },
  orientation: number,
): { width: number; height: number } {
  return orientation < TURNED ? { width, height } : { width: height, height: width }
}
