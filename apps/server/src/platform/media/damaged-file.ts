export class DamagedFile extends Error {
  override name = 'DamagedFile'
}

export function sliceOf(bytes: Buffer, { start, length }: { start: number; length: number }): Buffer {
  if (start + length > bytes.length) throw damaged()
  return bytes.subarray(start, start + length)
}

export function damaged(): DamagedFile {
  return new DamagedFile('The file is damaged')
}

export interface Picture {
  bytes: Buffer
  width: number
  height: number
}
