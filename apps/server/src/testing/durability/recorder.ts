/**
 * Preload (`node --import`) that journals what the process does to the files under POWER_CUT_ROOT, in every
 * thread. It stands below the database, so the program under test is the one that ships.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { openJournal } from './journal.ts'

const root = path.resolve(process.env.POWER_CUT_ROOT ?? '')
const journal = openJournal(process.env.POWER_CUT_JOURNAL ?? '')
const original = { ...fs }
const inodes = new Map<number, number>()

function relative(file: unknown): string | null {
  const found = path.relative(root, path.resolve(String(file)))
  return found.startsWith('..') ? null : found
}

fs.openSync = (file, flags, mode) => {
  const name = relative(file)
  const existed = name !== null && original.existsSync(file)
  const descriptor = original.openSync(file, flags, mode)
  if (name === null) return descriptor
  const stat = original.fstatSync(descriptor)
  if (!stat.isFile()) return descriptor
  inodes.set(descriptor, stat.ino)
  if (!existed) journal.append({ op: 'create', path: name, inode: stat.ino })
  const truncates = typeof flags === 'number' && (flags & fs.constants.O_TRUNC) !== 0
  if (existed && truncates) journal.append({ op: 'truncate', inode: stat.ino, size: 0 })
  return descriptor
}

fs.closeSync = (descriptor) => {
  inodes.delete(descriptor)
  original.closeSync(descriptor)
}

type WriteBytes = (
  descriptor: number,
  buffer: NodeJS.ArrayBufferView,
  offset: number,
  length: number,
  position: number,
) => number

const writeBytes = original.writeSync as WriteBytes
fs.writeSync = ((descriptor, buffer, offset, length, position) => {
  const written = writeBytes(descriptor, buffer, offset, length, position)
  const inode = inodes.get(descriptor)
  if (inode === undefined) return written
  const data = Buffer.from(buffer.buffer, buffer.byteOffset + offset, written)
  journal.append({ op: 'write', inode, position, data })
  return written
}) as WriteBytes as typeof fs.writeSync

fs.fsyncSync = (descriptor) => {
  original.fsyncSync(descriptor)
  const inode = inodes.get(descriptor)
  if (inode !== undefined) journal.append({ op: 'fsync', inode })
}

fs.ftruncateSync = (descriptor, size) => {
  original.ftruncateSync(descriptor, size)
  const inode = inodes.get(descriptor)
  if (inode !== undefined) journal.append({ op: 'truncate', inode, size: size ?? 0 })
}

fs.truncateSync = (file, size) => {
  original.truncateSync(file, size)
  if (relative(file) === null) return
  journal.append({ op: 'truncate', inode: original.statSync(file).ino, size: size ?? 0 })
}

// PGlite makes each new file by this, empty; other writes of whole files are not of its making.
fs.writeFileSync = (file, data, options) => {
  const name = relative(file)
  original.writeFileSync(file, data, options)
  if (name === null) return
  journal.append({ op: 'create', path: name, inode: original.statSync(String(file)).ino })
}

fs.renameSync = (from, to) => {
  original.renameSync(from, to)
  const names = { from: relative(from), to: relative(to) }
  if (names.from !== null && names.to !== null)
    journal.append({ op: 'rename', from: names.from, to: names.to })
}

fs.unlinkSync = (file) => {
  original.unlinkSync(file)
  const name = relative(file)
  if (name !== null) journal.append({ op: 'unlink', path: name })
}

const makeDirectory = original.mkdirSync
fs.mkdirSync = ((directory: fs.PathLike, options?: fs.MakeDirectoryOptions) => {
  const made = makeDirectory(directory, options)
  const name = relative(directory)
  if (name !== null) journal.append({ op: 'mkdir', path: name })
  return made
}) as typeof fs.mkdirSync

fs.rmdirSync = (directory) => {
  original.rmdirSync(directory)
  const name = relative(directory)
  if (name !== null) journal.append({ op: 'rmdir', path: name })
}

syncBuiltinESMExports()
