import { nameKey, type Tag, type TagKind, type TaxonomyEntry, type TaxonomyKind } from '@catenary/contracts'
import { and, count, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/executor.ts'
import { hasNameKey, keepNameKeys, olderKey, releaseNameKeys, standsAside } from '../../db/name-keys.ts'
import {
  auditEvents,
  categories,
  chainTags,
  prompts,
  promptTags,
  tags,
  variableTags,
} from '../../db/schema/index.ts'
import { violatedConstraint } from '../../db/violated-constraint.ts'

/** Which links a kind of tag has, and their column that names what has the tag. */
const LINKS = {
  prompt: { links: promptTags, holder: 'prompt_id' },
  variable: { links: variableTags, holder: 'variable_id' },
  chain: { links: chainTags, holder: 'chain_id' },
} as const satisfies Record<TagKind, unknown>

const NAMES = ['categories_name_key', 'categories_name_lower', 'tags_kind_name_key', 'tags_kind_name_lower']

const tableOf = (kind: TaxonomyKind) => (kind === 'category' ? categories : tags)

function isOfKind(kind: TaxonomyKind): SQL | undefined {
  return kind === 'category' ? undefined : eq(tags.kind, kind)
}

function usesOf(kind: TaxonomyKind): SQL<number> {
  const uses =
    kind === 'category'
      ? sql`select count(*) from ${prompts} where ${prompts.categoryId} = ${categories.id}`
      : sql`select count(*) from ${LINKS[kind].links} where ${LINKS[kind].links.tagId} = ${tags.id}`
  return sql`(${uses})::integer`
}

/** The older one whose name looks the same, of those that were there before names were compared so. */
function sameAs(kind: TaxonomyKind): SQL<Tag | null> {
  const table = tableOf(kind)
  const ofKind = kind === 'category' ? sql`` : sql`and older.kind = ${tags.kind}`
  return sql`case when ${standsAside(table)} then (
    select json_build_object('id', older.id, 'name', older.name) from ${table} as older
    where older.name_key = ${olderKey(table)} ${ofKind}
  ) end`
}

function selectEntries(executor: Executor, kind: TaxonomyKind) {
  const table = tableOf(kind)
  return executor
    .select({ id: table.id, name: table.name, uses: usesOf(kind), sameAs: sameAs(kind) })
    .from(table)
    .$dynamic()
}

const toEntry = ({
  sameAs,
  ...row
}: Omit<TaxonomyEntry, 'sameAs'> & { sameAs: Tag | null }): TaxonomyEntry =>
  sameAs === null ? row : { ...row, sameAs }

/** Oldest first, from after an id on. */
export async function listEntries(
  executor: Executor,
  { kind, after = 0, limit }: { kind: TaxonomyKind; after?: number | undefined; limit: number },
): Promise<TaxonomyEntry[]> {
  const table = tableOf(kind)
  const rows = await selectEntries(executor, kind)
    .where(and(isOfKind(kind), gt(table.id, after)))
    .orderBy(table.id)
    .limit(limit)
  return rows.map(toEntry)
}

export async function countEntries(executor: Executor, kind: TaxonomyKind): Promise<number> {
  const [counted] = await executor.select({ count: count() }).from(tableOf(kind)).where(isOfKind(kind))
  return counted?.count ?? 0
}

/** The one of that name, or of one that looks the same. */
export async function findOptionalEntryByName(
  executor: Executor,
  { kind, name }: { kind: TaxonomyKind; name: string },
): Promise<TaxonomyEntry | undefined> {
  const [found] = await selectEntries(executor, kind).where(
    and(isOfKind(kind), hasNameKey(tableOf(kind), name)),
  )
  return found && toEntry(found)
}

/** The existing entries of the ids, locked against writes and new uses until the transaction ends. */
export async function lockEntries(
  tx: Transaction,
  { kind, ids }: { kind: TaxonomyKind; ids: number[] },
): Promise<TaxonomyEntry[]> {
  const table = tableOf(kind)
  const isWanted = and(isOfKind(kind), inArray(table.id, ids))
  // In two steps: what was waited for comes with its uses from before the wait.
  await tx.select({ id: table.id }).from(table).where(isWanted).orderBy(table.id).for('update')
  return (await selectEntries(tx, kind).where(isWanted)).map(toEntry)
}

/** False when another one of the kind has the name, or one that looks the same. */
export async function renameEntry(
  tx: Transaction,
  { kind, id, name }: { kind: TaxonomyKind; id: number; name: string },
): Promise<boolean> {
  const table = tableOf(kind)
  await keepNameKeys(tx, table)
  try {
    // A savepoint: what is refused leaves the transaction usable.
    await tx.transaction((inner) =>
      inner
        .update(table)
        .set({ name, nameKey: nameKey(name) })
        .where(eq(table.id, id)),
    )
    await releaseNameKeys(tx, table)
    return true
  } catch (error) {
    if (NAMES.includes(violatedConstraint(error) ?? '')) return false
    throw error
  }
}

/** Whatever has the one has the other instead. */
export async function moveUses(
  tx: Transaction,
  { kind, id, into }: { kind: TaxonomyKind; id: number; into: number },
): Promise<void> {
  if (kind === 'category') {
    await tx.update(prompts).set({ categoryId: into }).where(eq(prompts.categoryId, id))
    return
  }
  const { links, holder } = LINKS[kind]
  const held = sql.identifier(holder)
  await tx.execute(sql`
    insert into ${links} (${held}, tag_id) select ${held}, ${into} from ${links} where tag_id = ${id}
    on conflict do nothing`)
}

export async function deleteEntry(
  tx: Transaction,
  { kind, id }: { kind: TaxonomyKind; id: number },
): Promise<void> {
  const table = tableOf(kind)
  await tx.delete(table).where(eq(table.id, id))
  await releaseNameKeys(tx, table)
}

/** Records who did what to a category or tag. */
export async function createTaxonomyEvent(
  executor: Executor,
  {
    kind,
    id,
    ...event
  }: { kind: TaxonomyKind; id: number; actorId: number; action: string; details: object },
): Promise<void> {
  const objectType = kind === 'category' ? 'category' : `${kind} tag`
  await executor.insert(auditEvents).values({ ...event, objectType, objectId: id })
}
