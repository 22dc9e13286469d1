import type { TagKind } from '@catenary/contracts'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { tags } from '../../db/schema/index.ts'

const row = { id: tags.id, name: tags.name }

/** The tags of a kind, by name. */
export function listTags(executor: Executor, kind: TagKind) {
  return executor.select(row).from(tags).where(eq(tags.kind, kind)).orderBy(sql`lower(${tags.name})`, tags.id)
}

/** The tag of that name, without regard to case. */
export async function findOptionalTagByName(
  executor: Executor,
  { kind, name }: { kind: TagKind; name: string },
) {
  const [found] = await executor
    .select(row)
    .from(tags)
    .where(and(eq(tags.kind, kind), eq(sql`lower(${tags.name})`, sql`lower(${name})`)))
  return found
}

/** Which of the ids are tags of the kind. */
export async function listTagIds(executor: Executor, { kind, ids }: { kind: TagKind; ids: number[] }) {
  const found = await executor
    .select({ id: tags.id })
    .from(tags)
    .where(and(eq(tags.kind, kind), inArray(tags.id, ids)))
  return found.map(({ id }) => id)
}

/** The new tag, or undefined when the name is taken without regard to case. */
export async function createTag(executor: Executor, tag: { kind: TagKind; name: string; createdBy: number }) {
  const [created] = await executor.insert(tags).values(tag).onConflictDoNothing().returning(row)
  return created
}
