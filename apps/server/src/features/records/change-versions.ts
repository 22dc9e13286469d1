import type { User } from '@catenary/contracts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import { findEditableRecord, openRecord } from './find-record.ts'
import { labelsByVersion } from './read-labels.ts'
import type { RecordKey } from './record-kinds.sql.ts'
import { refuseHeldVersion, requireDeleted, versionNotFound } from './version-errors.ts'
import { countVersionRows, deleteVersionRow, updateVersionNote } from './versions.sql.ts'

interface OfRecord extends RecordKey {
  user: User
}

interface OfVersion extends OfRecord {
  number: number
}

const CURSORS = {
  chain: defineCursor({ list: 'chain versions', position: cursorPosition.id }),
  prompt: defineCursor({ list: 'prompt versions', position: cursorPosition.id }),
}

interface VersionsPart {
  id: number
  before: number | undefined
  limit: number
}

/** Newest first; for those who may change the record, as older versions may predate its becoming public. */
export async function listVersions<Version extends { number: number }>(
  ctx: SqlContext,
  {
    kind,
    id,
    user,
    query,
    listRows,
  }: ListRequest<OfRecord & { listRows: (part: VersionsPart) => Promise<Version[]> }>,
): Promise<ListPage<Version>> {
  const cursors = CURSORS[kind]
  const before = cursors.read(query.cursor)
  await findEditableRecord(ctx, { kind, id, user })
  return toPage({
    rows: await listRows({ id, before, limit: query.limit + 1 }),
    limit: query.limit,
    total: before ? undefined : { count: await countVersionRows(ctx.db, { kind, id }) },
    toItem: (row) => row,
    cursorOf: ({ number }) => cursors.write(number),
  })
}

/** Throws `conflict` for the current version and one that something holds (D47). */
export function deleteVersion(ctx: Context, { number, ...wanted }: OfVersion): Promise<void> {
  const { kind, id } = wanted
  return transaction(ctx, async (ctx) => {
    const { version, ownerId } = await openRecord(ctx, wanted)
    const labels = await labelsByVersion(ctx, { kind, id })
    refuseHeldVersion({ number, current: version, labels: labels.get(number) })
    requireDeleted(await deleteVersionRow(ctx.db, { kind, id, number }))
    const before = { version: number }
    await recordActivity(ctx, { kind: `${kind}.version_deleted`, object: kind, id, ownerId, before })
  })
}

export function saveVersionNote(
  ctx: Context,
  { number, note, ...wanted }: OfVersion & { note: string },
): Promise<void> {
  const { kind, id } = wanted
  return transaction(ctx, async (ctx) => {
    const { ownerId } = await openRecord(ctx, wanted)
    if (!(await updateVersionNote(ctx.db, { kind, id, number, note }))) throw versionNotFound()
    const after = { version: number }
    await recordActivity(ctx, { kind: `${kind}.version_noted`, object: kind, id, ownerId, after })
  })
}
