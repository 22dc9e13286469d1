import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FolderFile } from '@catenary/domain/folder'
import { TextReader, ZipWriter } from '@zip.js/zip.js/index-native.js'

/** A fixed time, so that equal exports are equal to the byte. */
const WRITTEN_AT = new Date(1980, 0, 1)

/** The files as a zip that is read while it is written: a reader who waits makes the writer wait, one who leaves ends it. */
export function writeZip(files: AsyncIterable<FolderFile>): Readable {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  void write(files, writable).catch((error: unknown) => writable.abort(error).catch(() => {}))
  return Readable.fromWeb(readable as ReadableStream)
}

async function write(files: AsyncIterable<FolderFile>, writable: WritableStream<Uint8Array>): Promise<void> {
  const zip = new ZipWriter(writable, {
    useWebWorkers: false,
    lastModDate: WRITTEN_AT,
    extendedTimestamp: false,
  })
  for await (const { path, text } of files) await zip.add(path, new TextReader(text))
  await zip.close()
}
