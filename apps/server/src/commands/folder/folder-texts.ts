import { createHash } from 'node:crypto'
import { type FolderRecord, ImportError, pathOf, readRecord, writeRecord } from '@catenary/domain/folder'
import { type FileEntry, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js/index-native.js'
import { StartError } from '../../errors.ts'

export const FOLDER_PATH =
  /^(prompts\/[a-z][a-z0-9-]*\.md|chains\/[a-z][a-z0-9-]*\.yaml|suites\/(prompts|chains)\/[a-z][a-z0-9-]*\/[a-z0-9][a-z0-9-]*\.yaml)$/
export const FILES_MAX = 100_000
export const FILE_BYTES_MAX = 64 * 1024 * 1024
export const ALL_BYTES_MAX = 1024 * 1024 * 1024

export type Texts = Map<string, string>

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The file as the server would write it. Throws `StartError` with the place for one that can't be read. */
export function canonicalOf(path: string, text: string): string {
  let record: FolderRecord
  try {
    record = readRecord({ name: path, text })
  } catch (error) {
    if (error instanceof ImportError) throw new StartError(`${path}: ${error.message}`)
    throw error
  }
  const place = pathOf(record)
  if (place !== path) throw new StartError(`${path}: according to its content it is ${place}`)
  return writeRecord(record).text
}

/** Reads what a server packed. Throws `StartError` for what no folder has: nothing of it is written. */
export async function unpack(bytes: Uint8Array): Promise<Texts> {
  const texts: Texts = new Map()
  let left = ALL_BYTES_MAX
  const zip = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false })
  try {
    for (const entry of await zip.getEntries()) {
      const { filename: path, uncompressedSize: size } = entry
      if (entry.directory || !FOLDER_PATH.test(path)) {
        throw new StartError(
          `The server sent a file that doesn’t belong in a folder: ${JSON.stringify(path.slice(0, 100))}`,
        )
      }
      left -= size
      if (size > FILE_BYTES_MAX || left < 0 || texts.size >= FILES_MAX) {
        throw new StartError(`The server sent more than a folder can have, at ${path}`)
      }
      texts.set(path, await readEntry(entry))
    }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError('The server did not send a readable zip file.')
  } finally {
    await zip.close()
  }
  return texts
}

/** Fails for an entry that is longer than it says, as soon as it is. */
async function readEntry(entry: FileEntry): Promise<string> {
  const chunks: Uint8Array[] = []
  let left = entry.uncompressedSize
  const writable = new WritableStream<Uint8Array>({
    write(chunk) {
      left -= chunk.length
      if (left < 0) throw new Error('The archive is damaged')
      chunks.push(chunk)
    },
  })
  await entry.getData(writable)
  return Buffer.concat(chunks).toString('utf8')
}
