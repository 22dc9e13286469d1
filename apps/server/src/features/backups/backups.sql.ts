import type { BackupDrill, BackupReason } from '@catenary/contracts'
import { and, asc, between, desc, eq, gt, gte, inArray, lt, lte, min, ne, or } from 'drizzle-orm'
import * as z from 'zod'
import { backups, deletions, settings, users } from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { readSetting, writeSetting } from '../../database/statements/stored-setting.ts'
import { QUIET } from '../../keeping/backup/quiet-copy.ts'
import { type DeletedRecord, parseDeleted } from '../../keeping/deletions/deleted-records.ts'

export type BackupRow = typeof backups.$inferSelect
type NewBackup = typeof backups.$inferInsert

/** Newest first: those with a file, and all since then; with `until`, none that is dated later. */
export function listBackups(
  db: Executor,
  { since, until }: { since: Date; until?: Date },
): Promise<BackupRow[]> {
  const isPast = until && lte(backups.takenAt, until)
  return db
    .select()
    .from(backups)
    .where(and(or(eq(backups.state, 'kept'), gte(backups.takenAt, since)), isPast))
    .orderBy(desc(backups.takenAt), desc(backups.id))
}

export async function findOptionalBackup(db: Executor, id: number): Promise<BackupRow | undefined> {
  const [row] = await db
    .select()
    .from(backups)
    .where(and(eq(backups.id, id), ne(backups.state, 'deleted')))
  return row
}

/** Replaces a row whose file had the same name. */
export async function saveBackup(db: Executor, backup: NewBackup): Promise<BackupRow> {
  const [row] = await db
    .insert(backups)
    .values(backup)
    .onConflictDoUpdate({ target: backups.name, set: replacing(backup) })
    .returning()
  if (row === undefined) throw new Error('an insert gives its row')
  return row
}

/** Of a file that was found. Where its row says meanwhile that it is kept, that one stays. */
export async function saveFoundBackup(db: Executor, backup: NewBackup): Promise<void> {
  await db
    .insert(backups)
    .values(backup)
    .onConflictDoUpdate({
      target: backups.name,
      set: replacing(backup),
      setWhere: ne(backups.state, 'kept'),
    })
}

function replacing({ name: _, ...fields }: NewBackup) {
  return { ...fields, problem: fields.problem ?? null, log: fields.log ?? null, drill: null }
}

export async function saveDrill(
  db: Executor,
  { id, drill }: { id: number; drill: BackupDrill },
): Promise<void> {
  const rows = drill.rows === null ? {} : { rows: drill.rows }
  await db
    .update(backups)
    .set({ drill, ...rows })
    .where(eq(backups.id, id))
}

export async function markDeleted(db: Executor, ids: number[]): Promise<void> {
  await db.update(backups).set({ state: 'deleted' }).where(inArray(backups.id, ids))
}

export async function existsDaily(
  db: Executor,
  { since, until }: { since: Date; until: Date },
): Promise<boolean> {
  const isDaily = eq(backups.reason, 'daily' satisfies BackupReason)
  return (await db.$count(backups, and(isDaily, between(backups.takenAt, since, until)))) > 0
}

export async function findFirstAccountAt(db: Executor): Promise<Date | null> {
  const [row] = await db.select({ at: min(users.createdAt) }).from(users)
  return row?.at ?? null
}

const PLACE = 'backup-place'
const placeRow = z.object({ directory: z.string(), marker: z.string() })
type CopiesPlace = z.infer<typeof placeRow>

export async function readPlace(db: Executor): Promise<CopiesPlace | undefined> {
  return placeRow.safeParse(await readSetting(db, PLACE)).data
}

export function savePlace(db: Executor, value: CopiesPlace): Promise<void> {
  return writeSetting(db, { key: PLACE, value })
}

export const readQuietRow = (db: Executor): Promise<unknown> => readSetting(db, QUIET)

export async function deleteQuietRow(db: Executor): Promise<boolean> {
  const { rowCount } = await db.delete(settings).where(eq(settings.key, QUIET))
  return rowCount === 1
}

export async function listDeletions(
  db: Executor,
  { after }: { after: number },
): Promise<{ id: number; record: DeletedRecord }[]> {
  const rows = await db.select().from(deletions).where(gt(deletions.id, after)).orderBy(asc(deletions.id))
  return rows.flatMap(({ id, kind, key, deletedAt }) => {
    const record = parseDeleted({ kind, key, time: deletedAt.toISOString() })
    return record === undefined ? [] : { id, record }
  })
}

export async function forgetDeletions(db: Executor, { before }: { before: Date }): Promise<void> {
  await db.delete(deletions).where(lt(deletions.deletedAt, before))
}
