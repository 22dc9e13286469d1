import type { SharedKind, User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../../list-page.ts'
import type { Change } from '../../../record-access.ts'
import type { RecordKey, RecordTypes } from '../record-port.ts'
import type { RecordsDeps } from '../records-deps.ts'
import { refuseHeldVersion, requireDeleted, requireVersion, versionNotFound } from '../version-errors.ts'
import { countVersionRows, deleteVersionRow, updateVersionNote } from '../versions.repository.ts'
import { labelsByVersion } from './read-labels.ts'

interface OfRecord<Kind extends SharedKind = SharedKind> extends RecordKey {
  kind: Kind
  user: User
}

interface OfVersion<Kind extends SharedKind = SharedKind> extends OfRecord<Kind> {
  number: number
}

const CURSORS = {
  chain: defineCursor({ list: 'chain versions', position: cursorPosition.id }),
  prompt: defineCursor({ list: 'prompt versions', position: cursorPosition.id }),
}

/** Newest first. */
export async function listVersions<Kind extends SharedKind>(
  deps: RecordsDeps,
  { kind, id, user, query }: ListRequest<OfRecord<Kind>>,
): Promise<ListPage<RecordTypes[Kind]['listedVersion']>> {
  const { db, ports } = deps
  const cursors = CURSORS[kind]
  const before = cursors.read(query.cursor)
  await requireChangeable(deps, { kind, id, user })
  return toPage({
    rows: await ports[kind].listVersions({ db }, { id, user, before, limit: query.limit + 1 }),
    limit: query.limit,
    total: before ? undefined : { count: await countVersionRows(db, { kind, id }) },
    toItem: (row) => row,
    cursorOf: ({ number }) => cursors.write(number),
  })
}

export async function findVersion<Kind extends SharedKind>(
  deps: RecordsDeps,
  { kind, id, number, user }: OfVersion<Kind>,
): Promise<RecordTypes[Kind]['version']> {
  await requireChangeable(deps, { kind, id, user })
  return requireVersion(await deps.ports[kind].findVersion(deps, { id, number, user }))
}

/** For those who may change the record, as older versions may predate its becoming public. */
async function requireChangeable({ db, ports }: RecordsDeps, { kind, id, user }: OfRecord): Promise<void> {
  const { canEdit } = await ports[kind].findVisible({ db }, { id, user })
  if (!canEdit) throw new AppError('forbidden', `You may not change this ${kind}`)
}

/** Saves what an older version holds as a new version. */
export function restoreVersion<Kind extends SharedKind>(
  { db, ports }: RecordsDeps,
  { kind, ...change }: OfVersion<Kind> & Change,
): Promise<RecordTypes[Kind]['record']> {
  return db.transaction(async (tx) => requireVersion(await ports[kind].restoreVersion({ db: tx }, change)))
}

/** Throws `conflict` for the current version and one that something holds (D47). */
export function deleteVersion(
  { db, ports }: RecordsDeps,
  { kind, number, ...change }: OfVersion & Change,
): Promise<void> {
  const { id } = change
  return db.transaction(async (tx) => {
    const { version } = await ports[kind].openForChange({ db: tx }, change)
    const labels = await labelsByVersion(tx, { kind, id })
    refuseHeldVersion({ number, current: version, labels: labels.get(number) })
    requireDeleted(await deleteVersionRow(tx, { kind, id, number }))
  })
}

/** Throws `not_found` where there is no such version. */
export function saveVersionNote(
  { db, ports }: RecordsDeps,
  { kind, id, user, number, note }: OfVersion & { note: string },
): Promise<void> {
  return db.transaction(async (tx) => {
    await ports[kind].openForChange({ db: tx }, { id, user })
    if (!(await updateVersionNote(tx, { kind, id, number, note }))) throw versionNotFound()
  })
}
