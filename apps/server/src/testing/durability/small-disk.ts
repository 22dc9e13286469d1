/**
 * Preload (`node --import`) that gives the files under SMALL_DISK_ROOT a disk of as many bytes as SMALL_DISK_SIZE, a file,
 * says at the moment: beyond it a file does not grow. A true one needs a mount, which not every machine allows; this
 * stands below the database, in every thread, so the program under test is the one that ships. SMALL_DISK_SIZE may be a
 * number too.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'

const root = path.resolve(process.env.SMALL_DISK_ROOT ?? '')
const sizeFile = process.env.SMALL_DISK_SIZE ?? ''
const original = { ...fs }
const BLOCK = 4096

const isInside = (file: unknown): boolean => !path.relative(root, path.resolve(String(file))).startsWith('..')
const roundUp = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK

function usedBytes(): number {
  let used = 0
  for (const name of original.readdirSync(root, { recursive: true })) {
    const stat = original.statSync(path.join(root, String(name)), { throwIfNoEntry: false })
    if (stat?.isFile()) used += roundUp(stat.size)
  }
  return used
}

const sizeBytes = (): number =>
  Number(/^\d+$/.test(sizeFile) ? sizeFile : original.readFileSync(sizeFile, 'utf8'))
const freeBytes = (): number => sizeBytes() - usedBytes()
const fullError = () =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 })

function makeRoom(descriptor: number, end: number): void {
  if (!descriptors.has(descriptor)) return
  const grows = roundUp(end) - roundUp(original.fstatSync(descriptor).size)
  if (grows <= 0 || freeBytes() >= grows) return
  throw fullError()
}

const descriptors = new Set<number>()
fs.openSync = (file, flags, mode) => {
  const descriptor = original.openSync(file, flags, mode)
  if (isInside(file)) descriptors.add(descriptor)
  return descriptor
}

fs.closeSync = (descriptor) => {
  descriptors.delete(descriptor)
  original.closeSync(descriptor)
}

type WriteBytes = (
  descriptor: number,
  buffer: NodeJS.ArrayBufferView,
  offset: number,
  length: number,
  position?: number | null,
) => number

const writeBytes = original.writeSync as WriteBytes
fs.writeSync = ((descriptor, buffer, offset, length, position) => {
  makeRoom(descriptor, (position ?? original.fstatSync(descriptor).size) + length)
  return writeBytes(descriptor, buffer, offset, length, position)
}) as WriteBytes as typeof fs.writeSync

fs.ftruncateSync = (descriptor, size) => {
  makeRoom(descriptor, size ?? 0)
  original.ftruncateSync(descriptor, size)
}

/** Copies, and what is unpacked of them, are written by handles. */
const openFile = fs.promises.open
fs.promises.open = async (file, flags, mode) => {
  const handle = await openFile(file, flags, mode)
  if (isInside(file)) handle.writeFile = (data) => writeWhole(handle, data as string | AsyncIterable<Buffer>)
  return handle
}

async function writeWhole(handle: fs.promises.FileHandle, data: string | Buffer | AsyncIterable<Buffer>) {
  const chunks = typeof data === 'string' || Buffer.isBuffer(data) ? [Buffer.from(data)] : data
  for await (const chunk of chunks) {
    const { size } = await handle.stat()
    if (roundUp(size + chunk.length) - roundUp(size) > freeBytes()) throw fullError()
    await handle.write(chunk)
  }
}

fs.statfsSync = ((file: fs.PathLike) => {
  const stats = original.statfsSync(file)
  if (!isInside(file)) return stats
  const bavail = Math.max(0, Math.floor(freeBytes() / BLOCK))
  return Object.assign(stats, { bsize: BLOCK, bavail, bfree: bavail })
}) as typeof fs.statfsSync

syncBuiltinESMExports()
