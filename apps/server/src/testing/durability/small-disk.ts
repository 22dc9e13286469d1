/**
 * Preload (`node --import`) that gives the files under SMALL_DISK_ROOT a disk of as many bytes as SMALL_DISK_SIZE, a file,
 * says at the moment: beyond it a file does not grow. A true one needs a mount, which not every machine allows; this
 * stands below the database, in every thread, so the program under test is the one that ships.
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

const freeBytes = (): number => Number(original.readFileSync(sizeFile, 'utf8')) - usedBytes()

function makeRoom(descriptor: number, end: number): void {
  if (!descriptors.has(descriptor)) return
  const grows = roundUp(end) - roundUp(original.fstatSync(descriptor).size)
  if (grows <= 0 || freeBytes() >= grows) return
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 })
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

fs.statfsSync = ((file: fs.PathLike) => {
  const stats = original.statfsSync(file)
  if (!isInside(file)) return stats
  const bavail = Math.max(0, Math.floor(freeBytes() / BLOCK))
  return Object.assign(stats, { bsize: BLOCK, bavail, bfree: bavail })
}) as typeof fs.statfsSync

syncBuiltinESMExports()
