import type { ImportOutcome, ImportRequest } from '@catenary/contracts'
import {
  TextReader,
  TextWriter,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js/index-native.js'
import { expect } from 'vitest'
import type { TestUser } from '../../../testing/harness.ts'
import type { Library } from '../../../testing/library.ts'

export interface OpenedExport {
  bytes: Buffer
  /** Texts by path, in the order of the zip. */
  files: Record<string, string>
}

/** What an export holds. */
export async function openExport(library: Library, as: TestUser, query = ''): Promise<OpenedExport> {
  const reply = await library.http.inject({ url: `/api/export?${query}`, headers: as.headers })
  expect(reply.statusCode, reply.body.slice(0, 500)).toBe(200)
  const bytes = reply.rawPayload
  return { bytes, files: await readZip(bytes) }
}

export async function readZip(bytes: Uint8Array): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const entry of await new ZipReader(new Uint8ArrayReader(bytes)).getEntries()) {
    if (!entry.directory) files[entry.filename] = await entry.getData(new TextWriter())
  }
  return files
}

/** A zip of any paths. */
export async function zipOf(files: Record<string, string>): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [path, text] of Object.entries(files)) await zip.add(path, new TextReader(text))
  return zip.close()
}

/** Imports all of it. */
export async function importZip(
  library: Library,
  as: TestUser,
  { files }: Pick<OpenedExport, 'files'>,
  more: Partial<ImportRequest> = {},
): Promise<ImportOutcome> {
  const body = {
    files: Object.entries(files).map(([name, text]) => ({ name, text })),
    dryRun: false,
    ...more,
  }
  const reply = await library.request({ method: 'POST', url: '/api/import', body, as })
  expect(reply.status, reply.text).toBe(200)
  return reply.body as ImportOutcome
}
