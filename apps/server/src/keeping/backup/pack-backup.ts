import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { createTarPacker } from 'modern-tar'
import { ABOUT, type BackupAbout, type BackupManifest, MAGIC, MANIFEST, SEALED_KEY } from './backup-format.ts'
import type { BackupPart, BackupSource } from './backup-parts.ts'

interface BackupContents {
  about: BackupAbout
  source: BackupSource
  sealedKey?: Buffer | undefined
}

type Packer = ReturnType<typeof createTarPacker>['controller']

/** The bytes of a backup file. A failure of the source ends the stream with it; destroying the stream ends the source. */
export function packBackup(contents: BackupContents): Readable {
  return Readable.from(sealedBytes(contents), { objectMode: false })
}

async function* sealedBytes(contents: BackupContents): AsyncGenerator<Buffer> {
  const { readable, controller } = createTarPacker()
  // A higher level takes a core from those who are served, and saves only a few percent.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  const filled = fill(controller, contents)
  // What fails there ends `gzip` too, which is read below.
  const tar = Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0])
  const flowed = pipeline(tar, gzip).catch(() => {})
  const hash = createHash('sha256')
  try {
    hash.update(MAGIC)
    yield Buffer.from(MAGIC)
    for await (const chunk of gzip) {
      hash.update(chunk)
      yield chunk
    }
    yield hash.digest()
  } finally {
    gzip.destroy()
    await Promise.all([filled, flowed])
  }
}

async function fill(packer: Packer, { about, source, sealedKey }: BackupContents): Promise<void> {
  const parts: BackupManifest['parts'] = {}
  const add = async (part: BackupPart) => {
    parts[part.name] = await addPart(packer, part)
  }
  try {
    await add(jsonPart(ABOUT, about))
    if (sealedKey !== undefined) await add({ name: SEALED_KEY, size: sealedKey.length, content: sealedKey })
    for await (const part of source.parts) await add(part)
    const tables = source.tables()
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    await addPart(packer, jsonPart(MANIFEST, { parts, tables, rows } satisfies BackupManifest))
    packer.finalize()
  } catch (error) {
    packer.error(error)
  }
}

function jsonPart(name: string, value: object): BackupPart {
  const content = Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  return { name, size: content.length, content }
}

const [FILE_MODE, DIRECTORY_MODE] = [0o600, 0o700]

async function addPart(packer: Packer, { name, size, content }: BackupPart) {
  const isDirectory = name.endsWith('/')
  const [type, mode] = isDirectory ? (['directory', DIRECTORY_MODE] as const) : (['file', FILE_MODE] as const)
  const writer = packer.add({ name, size, type, mode }).getWriter()
  const hash = createHash('sha256')
  for await (const chunk of Buffer.isBuffer(content) ? [content] : content) {
    hash.update(chunk)
    await writer.write(chunk)
  }
  await writer.close()
  return { bytes: size, sha256: hash.digest('hex') }
}
