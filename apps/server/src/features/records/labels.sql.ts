import {
  type CurrentTextLink,
  type LabelMove,
  nameKey,
  type ProtectedLabel,
  type VersionLabel,
} from '@catenary/contracts'
import { and, asc, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { byLetters } from '../../database/schema/columns.ts'
import {
  chainVersions,
  groups,
  labelMoves,
  protectedLabelGroups,
  protectedLabels,
  users,
} from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { groupsOf } from '../../database/statements/visible-rows.ts'
import { type RecordKey, TABLES } from './record-kinds.sql.ts'

const isMoveOf = ({ kind, id }: RecordKey): SQL => eq(TABLES[kind].ofMove, id)

export async function listLabels(db: Executor, { kind, id }: RecordKey): Promise<VersionLabel[]> {
  const { labels } = TABLES[kind]
  const rows = await db
    .select({
      label: labels.label,
      version: labels.version,
      movedBy: users.displayUsername,
      movedAt: labels.movedAt,
    })
    .from(labels)
    .leftJoin(users, eq(users.id, labels.movedBy))
    .where(eq(labels.recordId, id))
    .orderBy(asc(labels.label))
  return rows.map((row) => ({ ...row, movedAt: row.movedAt.toISOString() }))
}

export async function listCurrentTextLinks(
  db: Executor,
  { id, version }: { id: number; version: number },
): Promise<CurrentTextLink[]> {
  const { rows } = await db.execute<Record<keyof CurrentTextLink, never>>(sql`
    select (place - 1)::integer as position, step ->> 'title' as title, (step ->> 'promptId')::integer as "promptId"
    from ${chainVersions} cross join lateral jsonb_array_elements(${chainVersions.steps}) with ordinality as kept (step, place)
    where ${chainVersions.chainId} = ${id} and ${chainVersions.number} = ${version}
      and step ->> 'promptId' is not null
      and coalesce(step ->> 'promptLabel', step ->> 'promptVersion') is null
    order by place`)
  return rows
}

interface Moved extends RecordKey {
  label: string
  userId: number
  toVersion: number | null
  /** It came with its record, in one transaction: no later move of it. */
  isOfRecord?: boolean
}

export async function saveLabel(
  tx: Transaction,
  { kind, id, label, userId, toVersion, isOfRecord = false }: Moved,
): Promise<void> {
  const { labels } = TABLES[kind]
  if (toVersion === null) {
    await tx.delete(labels).where(and(eq(labels.recordId, id), eq(labels.label, label)))
    return
  }
  const movedAt = isOfRecord ? sql`now()` : sql`clock_timestamp()`
  const place = { version: toVersion, movedBy: userId, movedAt }
  await tx
    .insert(labels)
    .values({ recordId: id, label, ...place })
    .onConflictDoUpdate({ target: [labels.recordId, labels.label], set: place })
}

/** The id of the move. Its time is that of the move, not of the transaction, which may have waited for another. */
export async function createMove(
  tx: Transaction,
  {
    kind,
    id,
    userId,
    ...move
  }: Moved & Pick<LabelMove, 'fromVersion' | 'reason' | 'override' | 'evaluationId'>,
): Promise<number> {
  const record = kind === 'chain' ? { chainId: id } : { promptId: id }
  const [created] = await tx
    .insert(labelMoves)
    .values({ ...record, ...move, movedBy: userId, movedAt: sql`clock_timestamp()` })
    .returning({ id: labelMoves.id })
  if (created === undefined) throw new Error('The insert returned no row')
  return created.id
}

function selectMoves(db: Executor) {
  const { id, label, fromVersion, toVersion, movedAt, reason, override, evaluationId } = labelMoves
  return db
    .select({
      id,
      label,
      fromVersion,
      toVersion,
      movedAt,
      reason,
      override,
      evaluationId,
      movedBy: users.displayUsername,
    })
    .from(labelMoves)
    .leftJoin(users, eq(users.id, labelMoves.movedBy))
}

const toMove = <Row extends { movedAt: Date }>(row: Row) => ({ ...row, movedAt: row.movedAt.toISOString() })

interface Listing extends RecordKey {
  label: string | undefined
  before: number | undefined
  limit: number
}

export async function listMoves(
  db: Executor,
  { label, before, limit, ...record }: Listing,
): Promise<LabelMove[]> {
  const rows = await selectMoves(db)
    .where(
      and(
        isMoveOf(record),
        label === undefined ? undefined : eq(labelMoves.label, label),
        before === undefined ? undefined : lt(labelMoves.id, before),
      ),
    )
    .orderBy(desc(labelMoves.id))
    .limit(limit)
  return rows.map(toMove)
}

/** Of each label that was live at a moment the move that had put it there, newest first. */
export async function listMovesLiveAt(
  db: Executor,
  { label, at, before, limit, ...record }: Listing & { at: string },
): Promise<LabelMove[]> {
  const last = sql`
    select distinct on (${labelMoves.label}) ${labelMoves.id}
    from ${labelMoves}
    where ${isMoveOf(record)} and ${labelMoves.movedAt} <= ${at}::timestamptz
      ${label === undefined ? sql`` : sql`and ${eq(labelMoves.label, label)}`}
    order by ${labelMoves.label}, ${labelMoves.id} desc`
  const rows = await selectMoves(db)
    .where(
      and(
        sql`${labelMoves.id} in (${last})`,
        sql`${labelMoves.toVersion} is not null`,
        before === undefined ? undefined : lt(labelMoves.id, before),
      ),
    )
    .orderBy(desc(labelMoves.id))
    .limit(limit)
  return rows.map(toMove)
}

export async function findOptionalMove(
  db: Executor,
  { moveId, ...record }: RecordKey & { moveId: number },
): Promise<LabelMove | undefined> {
  const [found] = await selectMoves(db).where(and(isMoveOf(record), eq(labelMoves.id, moveId)))
  return found && toMove(found)
}

const { label: protectedLabel, whoMayMove, needsSuite } = protectedLabels

export function listProtectedLabels(db: Executor): Promise<ProtectedLabel[]> {
  const names = sql`array(
    select ${groups.name} from ${protectedLabelGroups}
    inner join ${groups} on ${groups.id} = ${protectedLabelGroups.groupId}
    where ${protectedLabelGroups.label} = ${protectedLabel} order by ${byLetters(groups.nameKey)}
  )`
  return db
    .select({ label: protectedLabel, whoMayMove, groups: sql<string[]>`${names}`, needsSuite })
    .from(protectedLabels)
    .orderBy(asc(protectedLabel))
}

/** The same for somebody, who learns of groups only whether one of theirs is named. */
export function listProtections(db: Executor, userId: number | undefined) {
  const namesTheirs =
    userId === undefined
      ? sql`false`
      : sql`exists (
          select from ${protectedLabelGroups}
          where ${protectedLabelGroups.label} = ${protectedLabel}
            and ${protectedLabelGroups.groupId} = any(array(${groupsOf(userId)}))
        )`
  return db
    .select({
      label: protectedLabel,
      whoMayMove,
      needsSuite,
      namesTheirGroup: sql<boolean>`${namesTheirs}`,
    })
    .from(protectedLabels)
    .orderBy(asc(protectedLabel))
}

/** The ids of the groups that a protected label names. */
export async function listProtectingGroups(db: Executor, label: string): Promise<number[]> {
  const rows = await db
    .select({ id: protectedLabelGroups.groupId })
    .from(protectedLabelGroups)
    .where(eq(protectedLabelGroups.label, label))
    .orderBy(asc(protectedLabelGroups.groupId))
  return rows.map(({ id }) => id)
}

/** Returns the first name of a group that is not there, and then has saved nothing of the groups. */
export async function saveProtectedLabel(
  tx: Transaction,
  { label, groups: names, ...rule }: ProtectedLabel,
): Promise<string | undefined> {
  await tx
    .insert(protectedLabels)
    .values({ label, ...rule })
    .onConflictDoUpdate({ target: protectedLabels.label, set: rule })
  await tx.delete(protectedLabelGroups).where(eq(protectedLabelGroups.label, label))
  if (names.length === 0) return undefined
  const found = await tx
    .select({ id: groups.id, nameKey: groups.nameKey })
    .from(groups)
    .where(inArray(groups.nameKey, names.map(nameKey)))
    .for('key share')
  const unknown = names.find((name) => !found.some((group) => group.nameKey === nameKey(name)))
  if (unknown !== undefined) return unknown
  await tx.insert(protectedLabelGroups).values(found.map(({ id: groupId }) => ({ label, groupId })))
  return undefined
}

export async function deleteProtectedLabel(db: Executor, label: string): Promise<boolean> {
  const { rowCount } = await db.delete(protectedLabels).where(eq(protectedLabels.label, label))
  return rowCount === 1
}
