import { BlobReader, type FileEntry, ZipReader } from '@zip.js/zip.js/index-native.js'

export interface UnpackedFile {
  path: string
  text: string
}

interface Bounds {
  isWanted: (path: string) => boolean
  filesMax: number
  /** Bytes of all files together. */
  lengthMax: number
}

export async function unpackZip(
  file: File,
  { isWanted, filesMax, lengthMax }: Bounds,
): Promise<UnpackedFile[]> {
  const zip = new ZipReader(new BlobReader(file), { useWebWorkers: false })
  const unpacked: UnpackedFile[] = []
  let left = lengthMax
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      if (entry.directory || !isWanted(entry.filename)) continue
      // What a zip says of a size is checked while it is read.
      left -= entry.uncompressedSize
      if (unpacked.length >= filesMax || left < 0) {
        throw new TooMuchError(
          `${file.name} contains more than one import can take. Choose only some of its files.`,
        )
      }
      unpacked.push({ path: entry.filename, text: await readEntry(entry) })
    }
  } catch (error) {
    if (error instanceof TooMuchError) throw error
    throw new Error(`${file.name} isn’t a readable zip file.`)
  } finally {
    await zip.close()
  }
  return unpacked
}

class TooMuchError extends Error {}

/** Its bytes as text; fails for an entry that is longer than it says, as soon as it is. */
async function readEntry(entry: FileEntry): Promise<string> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let left = entry.uncompressedSize
  const writable = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(chunk) {
      left -= chunk.length
      if (left < 0) throw new Error('The archive is damaged')
      chunks.push(chunk)
    },
  })
  await entry.getData(writable)
  return new Blob(chunks).text()
}
