import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { BackupReason, BackupsState } from '@catenary/contracts'
import { explainPlace } from '../../platform/place-failure.ts'

/** What a copy's file is called: never a path, nor what is still being written. */
const COPY_NAME = /^[\w-][\w.-]*\.catenary$/

const UNFINISHED = /^catenary-\d{4}-[\w-]+\.catenary\.new$/

/** Such as catenary-2026-11-24T030000Z-daily.catenary: by name they are in the order of time. */
export function copyName({ takenAt, reason }: { takenAt: Date; reason: BackupReason }): string {
  const time = takenAt.toISOString().replace(/\.\d+/, '').replaceAll(':', '')
  return `catenary-${time}-${reason.replaceAll(' ', '-')}.catenary`
}

export async function listCopies(directory: string): Promise<Map<string, number>> {
  if (!existsSync(directory)) return new Map()
  const names = (await readdir(directory)).filter((name) => COPY_NAME.test(name))
  const sizes = new Map<string, number>()
  for (const name of names) {
    const size = await sizeOf(path.join(directory, name))
    if (size !== undefined) sizes.set(name, size)
  }
  return sizes
}

/** Empty where the folder can't be read, or is not set. */
export async function listReadableCopies(directory: string | undefined): Promise<Map<string, number>> {
  return directory === undefined ? new Map() : listCopies(directory).catch(() => new Map())
}

async function sizeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined)
  return found?.isFile() ? found.size : undefined
}

/** In the folder it says whose copies these are. */
const MARKER = '.catenary-copies'

export async function readMarker(directory: string): Promise<string | undefined> {
  const file = path.join(directory, MARKER)
  return existsSync(file) ? (await readFile(file, 'utf8')).trim() : undefined
}

export async function writeMarker(directory: string, marker: string): Promise<void> {
  await writeFile(path.join(directory, MARKER), `${marker}\n`, { mode: 0o600 })
}

export const describeLostMarker = (directory: string, marker: string): string =>
  `${directory} is not the folder that earlier copies went to: its file ${MARKER} is missing or another’s. If its disk is not mounted, mount it. If the folder is to be a new one, say so there: echo ${marker} > ${path.join(directory, MARKER)}`

/** Readable by its owner alone. Removes what interrupted copies left, as no other copy is being made. */
export async function makeFolder(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw explainPlace(directory, error)
  })
  for (const name of await readdir(directory)) {
    if (UNFINISHED.test(name)) await rm(path.join(directory, name), { force: true })
  }
}

export async function removeCopy(directory: string, name: string): Promise<void> {
  if (!COPY_NAME.test(name)) throw new Error('This is not the name of a copy')
  await rm(path.join(directory, name), { force: true })
}

export async function describeFolder(
  directory: string,
  { database }: { database: string | null },
): Promise<NonNullable<BackupsState['place']>> {
  try {
    await listCopies(directory)
    const present = firstThere(directory)
    const { bavail, bsize } = await statfs(present)
    const isOtherDisk = database === null || (await stat(present)).dev !== (await stat(database)).dev
    return { directory, freeBytes: bavail * bsize, isOtherDisk, problem: null }
  } catch (error) {
    return { directory, freeBytes: null, isOtherDisk: false, problem: describe(error) }
  }
}

const describe = (error: unknown) => (error instanceof Error ? error.message : String(error))

function firstThere(directory: string): string {
  return existsSync(directory) ? directory : firstThere(path.dirname(directory))
}
