import type { RecordKind } from '@catenary/contracts'
import { and, count, eq, sql } from 'drizzle-orm'
import { chainNames, chains, models, promptNames, prompts } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { idMeantBy } from '../../database/statements/named-rows.ts'

const TABLES = { chain: chainNames, prompt: promptNames } as const satisfies Record<RecordKind, unknown>

export interface OwnName {
  kind: RecordKind
  ownerId: number
  name: string
}

/** The record that the viewer means by the name (D48), among those that they see. */
export async function findOptionalRecordId(
  db: Executor,
  { kind, slug, viewerId }: { kind: RecordKind; slug: string; viewerId: number | undefined },
): Promise<number | undefined> {
  const { rows } = await db.execute<{ id: number | null }>(
    sql`select ${idMeantBy(kind, { name: sql`${slug}`, viewerId })} as id`,
  )
  return rows[0]?.id ?? undefined
}

export async function findOptionalOwnId(
  db: Executor,
  { kind, ownerId, name }: OwnName,
): Promise<number | undefined> {
  const names = TABLES[kind]
  const [found] = await db
    .select({ id: names.recordId })
    .from(names)
    .where(and(eq(names.name, name), eq(names.ownerId, ownerId)))
  return found?.id
}

export async function countSlugs(
  db: Executor,
  { kind, id }: { kind: RecordKind; id: number },
): Promise<number> {
  const names = TABLES[kind]
  const isSlug = kind === 'prompt' ? eq(promptNames.isAlias, false) : undefined
  const [row] = await db
    .select({ count: count() })
    .from(names)
    .where(and(eq(names.recordId, id), isSlug))
  return row?.count ?? 0
}

export async function existsModelAlias(db: Executor, alias: string): Promise<boolean> {
  const found = await db.select({ id: models.id }).from(models).where(eq(models.alias, alias))
  return found.length > 0
}

/** Whether it was free among the owner's; one that is being taken is waited for. */
export async function takeName(
  tx: Transaction,
  { kind, ownerId, name, id }: OwnName & { id: number },
): Promise<boolean> {
  const { rowCount } = await tx
    .insert(TABLES[kind])
    .values({ name, ownerId, recordId: id })
    .onConflictDoNothing()
  return rowCount === 1
}

const RECORDS = {
  chain: { table: chains, named: chains.name },
  prompt: { table: prompts, named: prompts.title },
} as const

/** The wanted slugs in place of those that the new records have; returns those that are not free. */
export async function takeSlugs(
  tx: Transaction,
  { kind, wanted }: { kind: RecordKind; wanted: readonly { id: number; slug: string }[] },
): Promise<string[]> {
  if (wanted.length === 0) return []
  const names = TABLES[kind]
  const { table, named } = RECORDS[kind]
  const rows = sql`unnest(${sql.param(wanted.map(({ id }) => id))}::integer[], ${sql.param(wanted.map(({ slug }) => slug))}::text[]) as wanted (id, slug)`
  // The new records' own slugs don't block each other.
  await tx.execute(
    sql`delete from ${names} where ${names.recordId} = any(${sql.param(wanted.map(({ id }) => id))}::integer[])`,
  )
  const taken = await tx.execute<{ name: string }>(sql`
    insert into ${names} (name, owner_id, ${sql.identifier(names.recordId.name)})
    select wanted.slug, ${table.ownerId}, wanted.id from ${rows} join ${table} on ${table.id} = wanted.id
    where not exists (select from ${models} where ${models.alias} = wanted.slug)
    on conflict do nothing returning name`)
  const given = new Set(taken.rows.map(({ name }) => name))
  await tx.execute(sql`
    update ${table} set slug = case
      when exists (select from ${names} where ${names.name} = wanted.slug and ${names.recordId} = wanted.id) then wanted.slug
      else ${sql.identifier(`take_${kind}_name`)}(${table.id}, ${table.ownerId}, ${named}) end
    from ${rows} where ${table.id} = wanted.id`)
  return wanted.map(({ slug }) => slug).filter((slug) => !given.has(slug))
}
