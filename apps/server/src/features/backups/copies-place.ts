import { randomBytes } from 'node:crypto'
import type { Executor } from '../../db/executor.ts'
import { StartError } from '../../errors.ts'
import {
  describeLostMarker,
  listReadableCopies,
  makeFolder,
  readMarker,
  writeMarker,
} from './backup-folder.ts'
import { listBackups, readPlace, savePlace } from './backups.repository.ts'

interface PlaceDeps {
  db: Executor
  now: () => Date
}

/**
 * Why copies may not go to that folder: its disk is not mounted, and they would lie on the database's own. Null: they may.
 * The first copy marks the folder; another one by name begins anew.
 */
export async function findPlaceProblem(deps: PlaceDeps, directory: string): Promise<string | null> {
  const place = await readPlace(deps.db)
  if (place?.directory !== directory) return null
  const found = await readMarker(directory).catch(() => undefined)
  return found === place.marker ? null : describeLostMarker(directory, place.marker)
}

/** Makes the folder where it is a new one, and marks it. Throws StartError where it is not the one it was. */
export async function openPlace(deps: PlaceDeps, directory: string): Promise<void> {
  const problem = await findPlaceProblem(deps, directory)
  if (problem !== null) throw new StartError(problem)
  const place = await readPlace(deps.db)
  if (place?.directory === directory) return makeFolder(directory)
  const written = await readMarker(directory)
  const marker = written ?? randomBytes(8).toString('hex')
  if (written === undefined && place === undefined && (await haveAllGone(deps, directory))) {
    throw new StartError(describeLostMarker(directory, marker))
  }
  await makeFolder(directory)
  if (written === undefined) await writeMarker(directory, marker)
  await savePlace(deps.db, { directory, marker })
}

/** Whether none is there of the copies that were made before folders were marked. */
async function haveAllGone({ db, now }: PlaceDeps, directory: string): Promise<boolean> {
  const there = await listReadableCopies(directory)
  const rows = await listBackups(db, { since: now() })
  const kept = rows.filter(({ state, name }) => state === 'kept' && name !== null)
  return kept.length > 0 && !kept.some(({ name }) => there.has(name ?? ''))
}
