import { LIST_PAGE_MAX } from '@catenary/contracts'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/executor.ts'
import { prompts } from '../../db/schema/index.ts'
import { referencesIn, refersTo } from '../../db/variable-references.ts'
import { promptsVisibleTo } from '../../db/visible-rows.ts'

const template = prompts.content

/** Lower-case name → number of prompts with a reference of that name. */
export function countPromptsByReference(executor: Executor, { viewerId }: { viewerId: number }) {
  const referring = executor
    .selectDistinct({ id: prompts.id, name: sql<string>`lower((${referencesIn(template)})[1])`.as('name') })
    .from(prompts)
    .where(promptsVisibleTo(viewerId))
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
    .where(and(promptsVisibleTo(viewerId), refersTo({ template, name })))
    .orderBy(asc(sql`lower(${title})`), asc(id))
    .limit(LIST_PAGE_MAX)
}

/** Kept from other writers until the transaction ends; always in the same order, so that two renames never wait for each other. */
export function lockReferringPrompts(tx: Transaction, { ownerId, name }: { ownerId: number; name: string }) {
  const { id, title, content, version } = prompts
  return tx
    .select({ id, title, content, version })
    .from(prompts)
    .where(and(eq(prompts.ownerId, ownerId), refersTo({ template, name })))
    .orderBy(asc(id))
    .for('update')
}
