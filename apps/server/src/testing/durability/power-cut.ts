import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JournalRecord } from './journal.ts'

type Change = Extract<JournalRecord, { op: 'write' | 'truncate' }>
interface Inode {
  base: string | null
  changes: Change[]
}

/** How to start a process for a power cut: `node --import <preload>`, with these variables. */
export interface Recording {
  base: string
  journal: string
  env: Record<string, string>
  preload: string
}

const SECTOR = 512

/** Copies the data directory as it is now; what `preload` then journals is replayed on that copy. */
export function startRecording({ root, work }: { root: string; work: string }): Recording {
  const base = path.join(work, 'base')
  const journal = path.join(work, 'journal')
  fs.cpSync(root, base, { recursive: true })
  fs.writeFileSync(path.join(work, 'inodes.json'), JSON.stringify(listInodes(root)))
  const preload = fileURLToPath(new URL('./recorder.ts', import.meta.url))
  return { base, journal, preload, env: { POWER_CUT_ROOT: root, POWER_CUT_JOURNAL: journal } }
}

/** Numbers in [0, 1) that depend on the seed alone. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
}

interface CutOptions {
  recording: Recording
  /** What had happened when the power went: the journal up to any record. */
  records: JournalRecord[]
  random: () => number
  /** Where to put the directory as the disk would hold it. */
  image: string
}

/**
 * The disk after a power cut: writes that were not yet fsynced are lost, kept or torn, each at random; changes
 * of names are journalled by file systems, so they are there in order up to a random point after the last fsync.
 * Returns what had been acknowledged by then.
 */
export function cutPower({ recording, records, random, image }: CutOptions): { acknowledged: number[] } {
  const lastFsync = records.findLastIndex(({ op }) => op === 'fsync')
  const namesUntil = lastFsync + 1 + Math.floor(random() * (records.length - lastFsync))
  const survivors = surviveWrites({ records, random })
  const { names, inodes, directories } = readBase(recording)

  for (const [index, record] of records.entries()) {
    if (record.op === 'write') {
      const survivor = survivors.get(index)
      if (survivor) inodes.get(record.inode)?.changes.push(survivor)
    } else if (index < namesUntil) {
      applyName({ record, names, inodes, directories })
    }
  }
  for (const directory of directories) fs.mkdirSync(path.join(image, directory), { recursive: true })
  for (const [name, inode] of names) {
    const content = inodes.get(inode)
    if (content) materialise({ file: path.join(image, name), inode: content, base: recording.base })
  }
  const acknowledged = records.flatMap((record) => (record.op === 'acknowledge' ? [record.value] : []))
  return { acknowledged }
}

function surviveWrites({ records, random }: { records: JournalRecord[]; random: () => number }) {
  const fsynced = new Set<number>()
  const survivors = new Map<number, Change>()
  for (const [index, record] of [...records.entries()].reverse()) {
    if (record.op === 'fsync') fsynced.add(record.inode)
    // An inode number that is given out again is another file.
    if (record.op === 'create') fsynced.delete(record.inode)
    if (record.op !== 'write') continue
    if (fsynced.has(record.inode) || random() < 0.4) survivors.set(index, record)
    else if (random() < 0.3) survivors.set(index, { ...record, data: record.data.subarray(0, SECTOR) })
  }
  return survivors
}

interface DiskState {
  names: Map<string, number>
  inodes: Map<number, Inode>
  directories: Set<string>
}

function applyName({ record, names, inodes, directories }: DiskState & { record: JournalRecord }) {
  switch (record.op) {
    case 'create':
      names.set(record.path, record.inode)
      inodes.set(record.inode, { base: null, changes: [] })
      break
    case 'truncate':
      inodes.get(record.inode)?.changes.push(record)
      break
    case 'rename': {
      const inode = names.get(record.from)
      if (inode !== undefined) names.set(record.to, inode)
      names.delete(record.from)
      break
    }
    case 'unlink':
      names.delete(record.path)
      break
    case 'mkdir':
      directories.add(record.path)
      break
    case 'rmdir':
      directories.delete(record.path)
  }
}

function readBase({ base }: Recording): DiskState {
  const listed = JSON.parse(fs.readFileSync(path.join(base, '..', 'inodes.json'), 'utf8'))
  const names = new Map<string, number>(Object.entries(listed))
  const inodes = new Map([...names].map(([name, inode]) => [inode, { base: name, changes: [] }]))
  const entries = fs.readdirSync(base, { withFileTypes: true, recursive: true })
  const directories = entries.filter((entry) => entry.isDirectory())
  return {
    names,
    inodes,
    directories: new Set(directories.map(({ parentPath, name }) => relativeTo(base, parentPath, name))),
  }
}

function materialise({ file, inode, base }: { file: string; inode: Inode; base: string }) {
  if (inode.base === null) fs.writeFileSync(file, '')
  else fs.copyFileSync(path.join(base, inode.base), file)
  if (inode.changes.length === 0) return
  const descriptor = fs.openSync(file, 'r+')
  for (const change of inode.changes) {
    if (change.op === 'truncate') fs.ftruncateSync(descriptor, change.size)
    else fs.writeSync(descriptor, change.data, 0, change.data.length, change.position)
  }
  fs.closeSync(descriptor)
}

function listInodes(root: string): Record<string, number> {
  const entries = fs.readdirSync(root, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      relativeTo(root, parentPath, name),
      fs.statSync(path.join(parentPath, name)).ino,
    ]),
  )
}

function relativeTo(root: string, parentPath: string, name: string): string {
  return path.relative(root, path.join(parentPath, name))
}
