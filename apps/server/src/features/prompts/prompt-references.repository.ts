import { and, asc, count, eq, or, type SQL, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/executor.ts'
import { prompts } from '../../db/schema/index.ts'

/** The tokenizer's definition of a reference, for the database. */
const REFERENCE = String.raw`\$<([A-Za-z0-9_]+)>`
const references = sql`regexp_matches(${prompts.content}, ${REFERENCE}, 'g')`

/** The rows that `canSeePrompt` lets the viewer see. */
function visibleTo(viewerId: number): SQL | undefined {
  return or(eq(prompts.isPublic, true), eq(prompts.ownerId, viewerId))
}

/** `name` in lower case. */
function refersTo(name: string): SQL {
  return sql`exists (select 1 from ${references} as reference (names) where lower(names[1]) = ${name})`
}

/** Lower-case name → number of prompts with a reference of that name. */
export function countPromptsByReference(executor: Executor, { viewerId }: { viewerId: number }) {
  const referring = executor
    .selectDistinct({ id: prompts.id, name: sql<string>`lower((${references})[1])`.as('name') })
    .from(prompts)
    .where(visibleTo(viewerId))
    .as('referring')
  return executor.select({ name: referring.name, count: count() }).from(referring).groupBy(referring.name)
}

/** By title. */
export function listReferringPrompts(
  executor: Executor,
  { viewerId, name }: { viewerId: number; name: string },
) {
  const { id, title, ownerId, isPublic } = prompts
  return executor
    .select({ id, title, ownerId, isPublic })
    .from(prompts)
    .where(and(visibleTo(viewerId), refersTo(name)))
    .orderBy(asc(sql`lower(${title})`), asc(id))
}

/** Kept from other writers until the transaction ends; always in the same order, so that two renames never wait for each other. */
export function lockReferringPrompts(tx: Transaction, { ownerId, name }: { ownerId: number; name: string }) {
  const { id, title, content, version } = prompts
  return tx
    .select({ id, title, content, version })
    .from(prompts)
    .where(and(eq(prompts.ownerId, ownerId), refersTo(name)))
    .orderBy(asc(id))
    .for('update')
}
