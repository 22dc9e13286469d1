import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import {
  ABOUT,
  type BackupAbout,
  BackupFileError,
  type BackupManifest,
  backupAbout,
  backupManifest,
  DIGEST_BYTES,
  isDataName,
  MAGIC,
  MANIFEST,
  SEALED_KEY,
} from './backup-format.ts'
import type { ReadPart } from './backup-parts.ts'
import { PartsDigest } from './row-parts.ts'

export interface OpenedBackup {
  file: string
  bytes: number
  about: BackupAbout
  sealedKey: Buffer | undefined
  /** The data, once; each part must be consumed before the next. Throws BackupFileError for what it should not hold. */
  parts: AsyncIterable<ReadPart>
  manifest(): BackupManifest
  close(): Promise<void>
}

const ABOUT_BYTES_MAX = 64 * 1024
const MANIFEST_BYTES_MAX = 32 * 1024 ** 2

/**
 * Opens a backup file: first its checksum over all bytes, so that nothing of a file that was cut short or changed is
 * believed, then what it says of itself. Throws BackupFileError.
 */
export async function openBackup(file: string): Promise<OpenedBackup> {
  const bytes = await checkWhole(file)
  const entries = readEntries({ file, bytes })
  try {
    const first = await entries.next()
    const about = backupAbout.parse(await readJson(first, { name: ABOUT, max: ABOUT_BYTES_MAX }))
    const second = await entries.next()
    const hasKey = second?.name === SEALED_KEY && second.size <= ABOUT_BYTES_MAX
    const sealedKey = hasKey ? await buffer(second.content) : undefined
    const reading = { file, about, entries, pending: hasKey ? undefined : second }
    let manifest: BackupManifest | undefined
    const parts = readParts(reading, (read) => {
      manifest = read
    })
    return {
      file,
      bytes,
      about,
      sealedKey,
      parts,
      close: entries.close,
      manifest: () => {
        if (manifest === undefined) throw new Error('The parts were not read to their end')
        return manifest
      },
    }
  } catch (error) {
    await entries.close()
    throw asFileError(file, error)
  }
}

export async function peekBackup(file: string): Promise<BackupAbout> {
  const { size: bytes } = await stat(file)
  if (bytes < MAGIC.length + DIGEST_BYTES) throw notWhole(file)
  const entries = readEntries({ file, bytes })
  try {
    return backupAbout.parse(await readJson(await entries.next(), { name: ABOUT, max: ABOUT_BYTES_MAX }))
  } catch (error) {
    throw asFileError(file, error)
  } finally {
    await entries.close()
  }
}

export async function verifyBackup(
  file: string,
): Promise<Pick<OpenedBackup, 'about' | 'bytes' | 'sealedKey'> & { manifest: BackupManifest }> {
  const backup = await openBackup(file)
  const { about, bytes, sealedKey, parts } = backup
  const digest = about.kind === 'rows' ? new PartsDigest() : undefined
  for await (const part of parts) {
    await (digest === undefined ? pipeline(part.content, discard) : digest.read(part))
  }
  const manifest = backup.manifest()
  if (digest !== undefined) requireRowsOf(manifest, { file, found: digest.contents() })
  return { about, bytes, sealedKey, manifest }
}

function requireRowsOf(
  { tables }: BackupManifest,
  { file, found }: { file: string; found: BackupManifest['tables'] },
): void {
  for (const name of new Set([...Object.keys(tables), ...Object.keys(found)])) {
    const [wanted, had] = [tables[name], found[name]]
    if (wanted === undefined || wanted.rows !== had?.rows || wanted.sha256 !== had.sha256)
      throw foreign(file, `the rows of its table ${name} don’t match its manifest`)
  }
}

async function discard(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _chunk of content);
}

export async function checkWhole(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) throw new BackupFileError(`There is no file ${file}.`)
  if (!found.isFile()) throw new BackupFileError(`${file} is not a file.`)
  const { size } = found
  const handle = await open(file)
  try {
    const head = await readAt(handle, 0, Math.min(MAGIC.length, size))
    if (/^CATENARY BACKUP \d+\n/.test(head.toString('latin1')) && head.toString('latin1') !== MAGIC) {
      throw new BackupFileError(
        `${file} is a backup in a newer format than this version of Catenary reads. Use the version that wrote it.`,
      )
    }
    if (size === 0 || !MAGIC.startsWith(head.toString('latin1')))
      throw new BackupFileError(`${file} is not a Catenary backup.`)
    if (size < MAGIC.length + DIGEST_BYTES) throw notWhole(file)
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(file, { end: size - DIGEST_BYTES - 1 })) hash.update(chunk)
    const digest = await readAt(handle, size - DIGEST_BYTES, DIGEST_BYTES)
    if (!hash.digest().equals(digest)) throw notWhole(file)
    return size
  } finally {
    await handle.close()
  }
}

async function readAt(handle: Awaited<ReturnType<typeof open>>, position: number, length: number) {
  const { buffer: bytes, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return bytes.subarray(0, bytesRead)
}

const notWhole = (file: string) =>
  new BackupFileError(
    `${file} is cut off, or was changed after it was written: its checksum does not match. Use another copy.`,
  )

/** Its checksum fits, so somebody else wrote it. */
const foreign = (file: string, why: string) =>
  new BackupFileError(`${file} was not written by Catenary, or was written wrongly: ${why}.`)

function asFileError(file: string, error: unknown): Error {
  if (error instanceof BackupFileError) return error
  return foreign(file, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
}

interface Entries {
  next(): Promise<ReadPart | undefined>
  close(): Promise<void>
}

function readEntries({ file, bytes }: { file: string; bytes: number }): Entries {
  const packed = createReadStream(file, { start: MAGIC.length, end: bytes - DIGEST_BYTES - 1 })
  const { readable, writable } = createTarDecoder({ strict: true })
  const unpacking = Writable.fromWeb(writable as Parameters<typeof Writable.fromWeb>[0])
  // What fails there ends the reader too.
  const flowed = pipeline(packed, createGunzip(), unpacking).catch(() => {})
  const reader = readable.getReader()
  return {
    next: async () => {
      const { done, value } = await reader.read()
      return done ? undefined : toPart(value)
    },
    close: async () => {
      await reader.cancel().catch(() => {})
      packed.destroy()
      await flowed
    },
  }
}

function toPart({ header, body }: ParsedTarEntry): ReadPart {
  const { name, size, type } = header
  const isPlain = type === (name.endsWith('/') ? 'directory' : 'file')
  if (!isPlain) throw new Error(`“${name}” is neither a file nor a directory`)
  return { name, size, content: Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) }
}

async function readJson(part: ReadPart | undefined, { name, max }: { name: string; max: number }) {
  if (part?.name !== name || part.size > max) throw new Error(`${name} is not where it should be`)
  return JSON.parse((await buffer(part.content)).toString('utf8'))
}

interface Reading {
  file: string
  about: BackupAbout
  entries: Entries
  pending: ReadPart | undefined
}

async function* readParts(
  { file, about, entries, pending }: Reading,
  found: (manifest: BackupManifest) => void,
): AsyncGenerator<ReadPart> {
  const read: BackupManifest['parts'] = {}
  try {
    for (let part = pending ?? (await entries.next()); ; part = await entries.next()) {
      if (part === undefined || part.name === MANIFEST) {
        const json = await readJson(part, { name: MANIFEST, max: MANIFEST_BYTES_MAX })
        found(compare(backupManifest.parse(json), read))
        return
      }
      const { name, size } = part
      if (!isDataName(name, about.kind) || name in read) throw new Error(`a backup has no “${name}” there`)
      const hash = createHash('sha256')
      yield { name, size, content: Readable.from(hashing(part.content, hash), { objectMode: false }) }
      read[name] = { bytes: size, sha256: hash.digest('hex') }
    }
  } catch (error) {
    throw asFileError(file, error)
  } finally {
    await entries.close()
  }
}

async function* hashing(content: Readable, hash: ReturnType<typeof createHash>) {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}

function compare(manifest: BackupManifest, read: BackupManifest['parts']): BackupManifest {
  const written = Object.entries(manifest.parts).filter(([name]) => name !== ABOUT && name !== SEALED_KEY)
  if (written.length !== Object.keys(read).length) throw new Error('its parts don’t match its manifest')
  for (const [name, { bytes, sha256 }] of written) {
    if (read[name]?.bytes !== bytes || read[name].sha256 !== sha256)
      throw new Error(`“${name}” doesn’t match its manifest`)
  }
  return manifest
}
