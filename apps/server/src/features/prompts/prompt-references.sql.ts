import { LIST_PAGE_MAX } from '@catenary/contracts'
import { and, asc, count, eq } from 'drizzle-orm'
import { prompts } from '../../database/schema/index.ts'
import type { Database, Transaction } from '../../database/statements/executor.ts'
import { runLongStatement } from '../../database/statements/long-statements.ts'
import { namedByOf } from '../../database/statements/named-by.sql.ts'
import { promptOrder } from '../../database/statements/prompt-search.ts'
import { promptShareColumns } from '../../database/statements/record-columns.ts'
import { mayReferTo, namesIn, refersTo } from '../../database/statements/variable-references.ts'
import { promptsVisibleTo } from '../../database/statements/visible-rows.ts'

const { referenceNames } = prompts

export function countPromptsByReference(db: Database, { ownerId }: { ownerId: number }) {
  const referring = db
    .select({ name: namesIn(referenceNames).as('name') })
    .from(prompts)
    .where(eq(prompts.ownerId, ownerId))
    .as('referring')
  const query = db.select({ name: referring.name, count: count() }).from(referring).groupBy(referring.name)
  return runLongStatement(db, () => query.execute())
}

export function listReferringPrompts(db: Database, { viewerId, name }: { viewerId: number; name: string }) {
  const { id, title, ownerId, isPublic } = prompts
  const { shareRole } = promptShareColumns(viewerId)
  const query = db
    .select({ id, title, ownerId, isPublic, shareRole })
    .from(prompts)
    .where(and(promptsVisibleTo(viewerId), refersTo({ referenceNames, name })))
    .orderBy(asc(promptOrder), asc(id))
    .limit(LIST_PAGE_MAX)
  return runLongStatement(db, () => query.execute())
}

/** The owner's that may refer, kept from other writers until the transaction ends; always in the same order, so that two renames never wait for each other. */
export function lockReferringPrompts(tx: Transaction, { ownerId, name }: { ownerId: number; name: string }) {
  const { id, title, content, version, settings } = prompts
  return tx
    .select({ id, title, content, version, settings, namedBy: namedByOf(prompts) })
    .from(prompts)
    .where(and(eq(prompts.ownerId, ownerId), mayReferTo({ referenceNames, name })))
    .orderBy(asc(id))
    .for('update')
}
