import { existsSync } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'

export const DELETED_FILE = 'deleted.jsonl'

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const deletedRecord = z.object({
  kind: z.string(),
  key: z.record(z.string(), z.union([z.int(), time])),
  time,
})

/** Something that was deleted for good: what it was, never what was in it. */
export type DeletedRecord = z.output<typeof deletedRecord>

/** Undefined for anything else, such as a line that was cut short. */
export function parseDeleted(value: unknown): DeletedRecord | undefined {
  return deletedRecord.safeParse(value).data
}

export async function readDeleted(directory: string): Promise<DeletedRecord[]> {
  const file = path.join(directory, DELETED_FILE)
  if (!existsSync(file)) return []
  return (await readFile(file, 'utf8')).split('\n').flatMap((line) => parseDeleted(parseLine(line)) ?? [])
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

export function mergeDeleted(...lists: readonly DeletedRecord[][]): DeletedRecord[] {
  const found = new Map<string, DeletedRecord>()
  for (const record of lists.flat()) {
    const id = identityOf(record)
    if (!found.has(id)) found.set(id, record)
  }
  return [...found.values()]
}

const identityOf = ({ kind, key }: DeletedRecord): string =>
  JSON.stringify([kind, ...Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1))])

const toLines = (records: readonly DeletedRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Adds lines, which a power cut right after does not take. */
export async function addDeleted(directory: string, records: readonly DeletedRecord[]): Promise<void> {
  if (records.length === 0) return
  const file = path.join(directory, DELETED_FILE)
  const isNew = !existsSync(file)
  const handle = await open(file, 'a+', 0o600)
  try {
    const begin = (await isCutShort(handle)) ? '\n' : ''
    await handle.appendFile(`${begin}${toLines(records)}`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (isNew) await syncFolder(directory)
}

type FileHandle = Awaited<ReturnType<typeof open>>

async function isCutShort(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return false
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer.toString() !== '\n'
}

export async function keepDeleted(
  directory: string,
  { records, since }: { records: readonly DeletedRecord[]; since: Date },
): Promise<void> {
  const there = await readDeleted(directory)
  const wanted = mergeDeleted(there, [...records]).filter((record) => record.time >= since)
  const isClean = mergeDeleted(there).length === there.length && there.every(({ time: at }) => at >= since)
  if (isClean) return addDeleted(directory, wanted.slice(there.length))
  const file = path.join(directory, DELETED_FILE)
  const handle = await open(`${file}.new`, 'w', 0o600)
  try {
    await handle.writeFile(toLines(wanted))
    await handle.sync()
  } catch (error) {
    await rm(`${file}.new`, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(`${file}.new`, file)
  await syncFolder(directory)
}

/** Windows can't open a folder, and its file systems journal names. */
async function syncFolder(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
