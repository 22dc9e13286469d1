import { nameKey, type TagKind } from '@catenary/contracts'
import { and, count, eq, inArray, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/executor.ts'
import { hasNameKey, keepNameKeys, keyOrderOf } from '../../db/name-keys.ts'
import { tags } from '../../db/schema/index.ts'

const row = { id: tags.id, name: tags.name }

const key = keyOrderOf(tags)

/** The tags of a kind by name, as it is compared also under `key`; only those after the one of that key and id. */
export function listTags(
  executor: Executor,
  { kind, after, limit }: { kind: TagKind; after: { key: string; id: number } | undefined; limit: number },
) {
  const isAfter = after && sql`(${key}, ${tags.id}) > (${after.key}, ${after.id}::integer)`
  return executor
    .select({ ...row, key })
    .from(tags)
    .where(and(eq(tags.kind, kind), isAfter))
    .orderBy(key, tags.id)
    .limit(limit)
}

export async function countTags(executor: Executor, kind: TagKind): Promise<number> {
  const [counted] = await executor.select({ count: count() }).from(tags).where(eq(tags.kind, kind))
  return counted?.count ?? 0
}

export const keepTagKeys = (executor: Executor): Promise<void> => keepNameKeys(executor, tags)

/** The tag of that name, or of one that looks the same. */
export async function findOptionalTagByName(
  executor: Executor,
  { kind, name }: { kind: TagKind; name: string },
) {
  await keepNameKeys(executor, tags)
  const [found] = await executor
    .select(row)
    .from(tags)
    .where(and(eq(tags.kind, kind), hasNameKey(tags, name)))
  return found
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

/** The new tag, or undefined when one has the name, or one that looks the same. */
export async function createTag(executor: Executor, tag: { kind: TagKind; name: string; createdBy: number }) {
  await keepNameKeys(executor, tags)
  const [created] = await executor
    .insert(tags)
    .values({ ...tag, nameKey: nameKey(tag.name) })
    .onConflictDoNothing()
    .returning(row)
  return created
}
