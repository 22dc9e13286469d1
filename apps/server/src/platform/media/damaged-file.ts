/** A file is not what its beginning says, or may not be taken; the message is a sentence for the person. */
export class DamagedFile extends Error {
  override name = 'DamagedFile'
}

/** The part of the bytes, or a refusal where they end before it does. */
export function sliceOf(bytes: Buffer, { start, length }: { start: number; length: number }): Buffer {
  if (start + length > bytes.length) throw damaged()
  return bytes.subarray(start, start + length)
}

export function damaged(): DamagedFile {
  return new DamagedFile('The file is damaged: it ends or goes on where it should not')
}

/** What is kept of a picture: its pixels as they are packed, and how large it is shown. */
export interface Picture {
  bytes: Buffer
  width: number
  height: number
}
