import type { LabelledKind } from '@catenary/contracts'
import { count, eq, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/executor.ts'
import { chainSlugs, chains, models, promptSlugs, prompts } from '../../db/schema/index.ts'

const TABLES = { chain: chainSlugs, prompt: promptSlugs } as const satisfies Record<LabelledKind, unknown>

export interface Slug {
  kind: LabelledKind
  slug: string
}

/** The record that has the slug, or had it. */
export async function findOptionalRecordId(
  executor: Executor,
  { kind, slug }: Slug,
): Promise<number | undefined> {
  const slugs = TABLES[kind]
  const [found] = await executor.select({ id: slugs.recordId }).from(slugs).where(eq(slugs.slug, slug))
  return found?.id
}

export async function countSlugs(
  executor: Executor,
  { kind, id }: { kind: LabelledKind; id: number },
): Promise<number> {
  const slugs = TABLES[kind]
  const [row] = await executor.select({ count: count() }).from(slugs).where(eq(slugs.recordId, id))
  return row?.count ?? 0
}

/** Whether a model is called so. */
export async function existsModelAlias(executor: Executor, alias: string): Promise<boolean> {
  const found = await executor.select({ id: models.id }).from(models).where(eq(models.alias, alias))
  return found.length > 0
}

/** Whether it was free; one that is being taken is waited for. */
export async function takeSlug(tx: Transaction, { kind, slug, id }: Slug & { id: number }): Promise<boolean> {
  const { rowCount } = await tx.insert(TABLES[kind]).values({ slug, recordId: id }).onConflictDoNothing()
  return rowCount === 1
}

const RECORDS = {
  chain: { table: chains, named: chains.name },
  prompt: { table: prompts, named: prompts.title },
} as const

/** The wanted slugs in place of those that the new records have; returns those that are not free. */
export async function takeSlugs(
  tx: Transaction,
  { kind, wanted }: { kind: LabelledKind; wanted: readonly { id: number; slug: string }[] },
): Promise<string[]> {
  if (wanted.length === 0) return []
  const slugs = TABLES[kind]
  const { table, named } = RECORDS[kind]
  const rows = sql`unnest(${sql.param(wanted.map(({ id }) => id))}::integer[], ${sql.param(wanted.map(({ slug }) => slug))}::text[]) as wanted (id, slug)`
  // Those of the new records themselves are free for each other.
  await tx.execute(
    sql`delete from ${slugs} where ${slugs.recordId} = any(${sql.param(wanted.map(({ id }) => id))}::integer[])`,
  )
  const taken = await tx.execute<{ slug: string }>(sql`
    insert into ${slugs} (slug, ${sql.identifier(slugs.recordId.name)})
    select wanted.slug, wanted.id from ${rows}
    where not exists (select from ${models} where ${models.alias} = wanted.slug)
    on conflict do nothing returning slug`)
  const given = new Set(taken.rows.map(({ slug }) => slug))
  await tx.execute(sql`
    update ${table} set slug = case
      when exists (select from ${slugs} where ${slugs.slug} = wanted.slug and ${slugs.recordId} = wanted.id) then wanted.slug
      else ${sql.identifier(`take_${kind}_slug`)}(${table.id}, ${named}) end
    from ${rows} where ${table.id} = wanted.id`)
  return wanted.map(({ slug }) => slug).filter((slug) => !given.has(slug))
}
