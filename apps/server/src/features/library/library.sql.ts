import { nameKey, type Tag, type TagKind, type TaxonomyEntry, type TaxonomyKind } from '@catenary/contracts'
import { and, asc, count, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import {
  categories,
  chainTags,
  prompts,
  promptTags,
  tags,
  variableTags,
} from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import {
  hasNameKey,
  keepNameKeys,
  keyOrderOf,
  olderKey,
  releaseNameKeys,
  standsAside,
} from '../../database/statements/name-keys.ts'
import { violatedConstraint } from '../../database/statements/violated-constraint.ts'

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

/** The older entry whose name looks the same, of those from before names were compared so. */
function sameAs(kind: TaxonomyKind): SQL<Tag | null> {
  const table = tableOf(kind)
  const ofKind = kind === 'category' ? sql`` : sql`and older.kind = ${tags.kind}`
  return sql`case when ${standsAside(table)} then (
    select json_build_object('id', older.id, 'name', older.name) from ${table} as older
    where older.name_key = ${olderKey(table)} ${ofKind}
  ) end`
}

export function listCategoryRows(
  db: Executor,
  { after = 0, limit }: { after?: number | undefined; limit: number },
) {
  return db
    .select({ id: categories.id, name: categories.name })
    .from(categories)
    .where(gt(categories.id, after))
    .orderBy(asc(categories.id))
    .limit(limit)
}

const tagKey = keyOrderOf(tags)

export function listTagRows(
  db: Executor,
  { kind, after, limit }: { kind: TagKind; after: { key: string; id: number } | undefined; limit: number },
) {
  const isAfter = after && sql`(${tagKey}, ${tags.id}) > (${after.key}, ${after.id}::integer)`
  return db
    .select({ id: tags.id, name: tags.name, key: tagKey })
    .from(tags)
    .where(and(eq(tags.kind, kind), isAfter))
    .orderBy(tagKey, tags.id)
    .limit(limit)
}

/** For entries that the version before wrote; of tags, all kinds at once. */
export const keepEntryKeys = (db: Executor, kind: TaxonomyKind): Promise<void> =>
  keepNameKeys(db, tableOf(kind))

function isNamed(kind: TaxonomyKind, name: string): SQL | undefined {
  return and(isOfKind(kind), hasNameKey(tableOf(kind), name))
}

export async function findOptionalEntry(db: Executor, { kind, name }: { kind: TaxonomyKind; name: string }) {
  const table = tableOf(kind)
  await keepNameKeys(db, table)
  const [found] = await db.select({ id: table.id, name: table.name }).from(table).where(isNamed(kind, name))
  return found
}

/** The new entry, or undefined when one has the name, or one that looks the same. */
export async function insertEntry(
  db: Executor,
  { kind, ...entry }: { kind: TaxonomyKind; name: string; createdBy: number },
) {
  await keepEntryKeys(db, kind)
  const values = { ...entry, nameKey: nameKey(entry.name) }
  const inserted =
    kind === 'category'
      ? db
          .insert(categories)
          .values(values)
          .onConflictDoNothing()
          .returning({ id: categories.id, name: categories.name })
      : db
          .insert(tags)
          .values({ kind, ...values })
          .onConflictDoNothing()
          .returning({ id: tags.id, name: tags.name })
  const [created] = await inserted
  return created
}

export async function insertCategories(db: Executor, names: readonly string[]): Promise<void> {
  const rows = names.map((name) => ({ name, nameKey: nameKey(name), createdBy: null }))
  await db.insert(categories).values(rows).onConflictDoNothing()
}

/** Whether there is such a category, which is then not deleted before the transaction ends. */
export async function lockCategory(tx: Transaction, id: number): Promise<boolean> {
  const found = await tx
    .select({ id: categories.id })
    .from(categories)
    .where(eq(categories.id, id))
    .for('key share')
  return found.length > 0
}

/** Which of the ids are tags of the kind; they are not deleted before the transaction ends. */
export async function lockTagIds(tx: Transaction, { kind, ids }: { kind: TagKind; ids: number[] }) {
  const found = await tx
    .select({ id: tags.id })
    .from(tags)
    .where(and(eq(tags.kind, kind), inArray(tags.id, ids)))
    .orderBy(tags.id)
    .for('key share')
  return found.map(({ id }) => id)
}

function selectUsedEntries(db: Executor, kind: TaxonomyKind) {
  const table = tableOf(kind)
  return db
    .select({ id: table.id, name: table.name, uses: usesOf(kind), sameAs: sameAs(kind) })
    .from(table)
    .$dynamic()
}

const toEntry = ({
  sameAs,
  ...row
}: Omit<TaxonomyEntry, 'sameAs'> & { sameAs: Tag | null }): TaxonomyEntry =>
  sameAs === null ? row : { ...row, sameAs }

export async function listUsedEntries(
  db: Executor,
  { kind, after = 0, limit }: { kind: TaxonomyKind; after?: number | undefined; limit: number },
): Promise<TaxonomyEntry[]> {
  const table = tableOf(kind)
  const rows = await selectUsedEntries(db, kind)
    .where(and(isOfKind(kind), gt(table.id, after)))
    .orderBy(table.id)
    .limit(limit)
  return rows.map(toEntry)
}

export async function countEntries(db: Executor, kind: TaxonomyKind): Promise<number> {
  const [counted] = await db.select({ count: count() }).from(tableOf(kind)).where(isOfKind(kind))
  return counted?.count ?? 0
}

export async function findOptionalUsedEntry(
  db: Executor,
  { kind, name }: { kind: TaxonomyKind; name: string },
): Promise<TaxonomyEntry | undefined> {
  const [found] = await selectUsedEntries(db, kind).where(isNamed(kind, name))
  return found && toEntry(found)
}

export async function lockUsedEntries(
  tx: Transaction,
  { kind, ids }: { kind: TaxonomyKind; ids: number[] },
): Promise<TaxonomyEntry[]> {
  const table = tableOf(kind)
  const isWanted = and(isOfKind(kind), inArray(table.id, ids))
  // In two steps: a row that was waited for would come with its uses from before the wait.
  await tx.select({ id: table.id }).from(table).where(isWanted).orderBy(table.id).for('update')
  return (await selectUsedEntries(tx, kind).where(isWanted)).map(toEntry)
}

export async function updateEntryName(
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

export async function deleteEntryRow(
  tx: Transaction,
  { kind, id }: { kind: TaxonomyKind; id: number },
): Promise<void> {
  const table = tableOf(kind)
  await tx.delete(table).where(eq(table.id, id))
  await releaseNameKeys(tx, table)
}

export async function replaceTags(
  db: Executor,
  { kind, id, tagIds }: { kind: TagKind; id: number; tagIds: number[] },
): Promise<void> {
  const { links } = LINKS[kind]
  const holder = sql.identifier(LINKS[kind].holder)
  await db.execute(sql`delete from ${links} where ${holder} = ${id}`)
  if (tagIds.length === 0) return
  await db.execute(sql`
    insert into ${links} (${holder}, tag_id)
    select ${id}::integer, tag_id from unnest(${sql.param([...new Set(tagIds)])}::integer[]) as given (tag_id)`)
}
