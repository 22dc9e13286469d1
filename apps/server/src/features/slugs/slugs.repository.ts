import type { LabelledKind } from '@catenary/contracts'
import { count, eq } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/executor.ts'
import { chainSlugs, models, promptSlugs } from '../../db/schema/index.ts'

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
