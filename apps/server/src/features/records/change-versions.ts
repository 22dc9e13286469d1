import type { RecordKind, User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import { type Context, transaction } from '../../platform/context.ts'
import type { Change } from '../../record-access.ts'
import { labelsByVersion } from './read-labels.ts'
import { portOf, type RecordKey, type RecordTypes } from './record-port.ts'
import { refuseHeldVersion, requireDeleted, requireVersion, versionNotFound } from './version-errors.ts'
import { countVersionRows, deleteVersionRow, updateVersionNote } from './versions.sql.ts'

interface OfRecord<Kind extends RecordKind = RecordKind> extends RecordKey {
  kind: Kind
  user: User
}

interface OfVersion<Kind extends RecordKind = RecordKind> extends OfRecord<Kind> {
  number: number
}

const CURSORS = {
  chain: defineCursor({ list: 'chain versions', position: cursorPosition.id }),
  prompt: defineCursor({ list: 'prompt versions', position: cursorPosition.id }),
}

/** Newest first. */
export async function listVersions<Kind extends RecordKind>(
  ctx: Context,
  { kind, id, user, query }: ListRequest<OfRecord<Kind>>,
): Promise<ListPage<RecordTypes[Kind]['listedVersion']>> {
  const cursors = CURSORS[kind]
  const before = cursors.read(query.cursor)
  await requireChangeable(ctx, { kind, id, user })
  return toPage({
    rows: await portOf(ctx, kind).listVersions(ctx, { id, user, before, limit: query.limit + 1 }),
    limit: query.limit,
    total: before ? undefined : { count: await countVersionRows(ctx.db, { kind, id }) },
    toItem: (row) => row,
    cursorOf: ({ number }) => cursors.write(number),
  })
}

export async function findVersion<Kind extends RecordKind>(
  ctx: Context,
  { kind, id, number, user }: OfVersion<Kind>,
): Promise<RecordTypes[Kind]['version']> {
  await requireChangeable(ctx, { kind, id, user })
  return requireVersion(await portOf(ctx, kind).findVersion(ctx, { id, number, user }))
}

/** For those who may change the record, as older versions may predate its becoming public. */
async function requireChangeable(ctx: Context, { kind, id, user }: OfRecord): Promise<void> {
  const { canEdit } = await portOf(ctx, kind).findVisible(ctx, { id, user })
  if (!canEdit) throw new AppError('forbidden', `You may not change this ${kind}`)
}

/** Saves what an older version holds as a new version. */
export function restoreVersion<Kind extends RecordKind>(
  ctx: Context,
  { kind, ...change }: OfVersion<Kind> & Change,
): Promise<RecordTypes[Kind]['record']> {
  return transaction(ctx, async (ctx) => requireVersion(await portOf(ctx, kind).restoreVersion(ctx, change)))
}

/** Throws `conflict` for the current version and one that something holds (D47). */
export function deleteVersion(ctx: Context, { kind, number, ...change }: OfVersion & Change): Promise<void> {
  const { id } = change
  return transaction(ctx, async (ctx) => {
    const { version } = await portOf(ctx, kind).openForChange(ctx, change)
    const labels = await labelsByVersion(ctx, { kind, id })
    refuseHeldVersion({ number, current: version, labels: labels.get(number) })
    requireDeleted(await deleteVersionRow(ctx.db, { kind, id, number }))
  })
}

/** Throws `not_found` where there is no such version. */
export function saveVersionNote(
  ctx: Context,
  { kind, id, user, number, note }: OfVersion & { note: string },
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    await portOf(ctx, kind).openForChange(ctx, { id, user })
    if (!(await updateVersionNote(ctx.db, { kind, id, number, note }))) throw versionNotFound()
  })
}
