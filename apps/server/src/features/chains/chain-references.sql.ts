import { LIST_PAGE_MAX, OWN_FIELDS } from '@catenary/contracts'
import { and, asc, count, countDistinct, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { asciiKey } from '../../database/schema/columns.ts'
import { chainSteps, chains } from '../../database/schema/index.ts'
import type { Database, Executor, Transaction } from '../../database/statements/executor.ts'
import { runLongStatement } from '../../database/statements/long-statements.ts'
import { namedByOf } from '../../database/statements/named-by.sql.ts'
import { mayReferTo, namesIn, refersTo } from '../../database/statements/variable-references.ts'
import { chainsSharedWith, chainsVisibleTo, roleOf } from '../../database/statements/visible-rows.ts'

const { referenceNames } = chainSteps

/** Steps `earlier` of the same chain. */
const isEarlier = sql.raw(`earlier.chain_id = chain_steps.chain_id
  and (earlier.position, earlier.id) < (chain_steps.position, chain_steps.id)`)

const ownTexts = sql.raw(
  OWN_FIELDS.map(({ field }) => `chain_steps.settings -> '${field}' ->> 'text'`).join(', '),
)

/** Not where a condition or list alone has the name, and means the output of an earlier step by it. */
const meansVariable = (name: SQL) => sql`(
  not exists (
    select from chain_steps as earlier
    where ${isEarlier} and lower(earlier.output_variable_name collate "C") = ${name}
  )
  or ${name} = any(reference_names(concat_ws(chr(10), ${ownTexts},
    template_texts(chain_steps.content, chain_steps.system_prompt, chain_steps.settings -> 'messages'))))
)`
const hasTextsAlone = sql.raw(
  `(chain_steps.settings -> 'onlyIf') is null and (chain_steps.settings -> 'forEach') is null`,
)
const namesMeant = sql`case when ${hasTextsAlone} then ${referenceNames}
  else array(select held from unnest(${referenceNames}) as held where ${meansVariable(sql`held`)}) end`

/** Lower-case name → number of chains with a step that has a reference of that name: one's own, and those shared with one. */
export function countChainsByReference(db: Database, { userId }: { userId: number }) {
  const referring = db
    .select({
      chainId: chainSteps.chainId,
      name: namesIn(namesMeant).as('name'),
    })
    .from(chainSteps)
    .innerJoin(chains, eq(chains.id, chainSteps.chainId))
    .where(or(eq(chains.ownerId, userId), chainsSharedWith(userId)))
    .as('referring')
  const query = db
    .select({ name: referring.name, count: countDistinct(referring.chainId) })
    .from(referring)
    .groupBy(referring.name)
  return runLongStatement(db, () => query.execute())
}

export function listReferringChains(db: Database, { viewerId, name }: { viewerId: number; name: string }) {
  const { id, ownerId, sharedLevel } = chains
  const query = db
    .select({
      id,
      name: chains.name,
      ownerId,
      sharedLevel,
      shareRole: roleOf('chain', viewerId),
      stopsWithoutValue: chains.stopsWithoutValue,
      steps: count(chainSteps.id),
    })
    .from(chains)
    .innerJoin(chainSteps, eq(chainSteps.chainId, id))
    .where(
      and(
        chainsVisibleTo(viewerId),
        refersTo({ referenceNames, name }),
        sql`((${hasTextsAlone}) or ${meansVariable(sql`${name}::text`)})`,
      ),
    )
    .groupBy(id)
    .orderBy(asc(sql`coalesce(${chains.searchName}, ${asciiKey(chains.name)})`), asc(id))
    .limit(LIST_PAGE_MAX)
  return runLongStatement(db, () => query.execute())
}

/** The owner's chains that may refer, kept from other writers until the transaction ends; always in the same order. */
export async function lockReferringChains(
  tx: Transaction,
  { ownerId, name }: { ownerId: number; name: string },
): Promise<number[]> {
  const referring = tx
    .select({ id: chainSteps.chainId })
    .from(chainSteps)
    .where(mayReferTo({ referenceNames, name }))
  const rows = await tx
    .select({ id: chains.id })
    .from(chains)
    .where(and(eq(chains.ownerId, ownerId), inArray(chains.id, referring)))
    .orderBy(asc(chains.id))
    .for('update')
  return rows.map(({ id }) => id)
}

export function listReferringSteps(db: Executor, { chainIds, name }: { chainIds: number[]; name: string }) {
  const { id, chainId, title, content, systemPrompt, settings } = chainSteps
  const outputs = sql<string[]>`array['input', 'input_context'] || array(
    select earlier.output_variable_name from chain_steps as earlier where ${isEarlier}
  )`
  const namedBy = namedByOf(chainSteps)
  return db
    .select({ id, chainId, title, content, systemPrompt, settings, outputs, namedBy })
    .from(chainSteps)
    .where(and(inArray(chainId, chainIds), mayReferTo({ referenceNames, name })))
}

export async function updateStepTexts(
  tx: Transaction,
  {
    id,
    ...texts
  }: Pick<typeof chainSteps.$inferSelect, 'id' | 'content' | 'systemPrompt' | 'settings' | 'namedBy'>,
): Promise<void> {
  await tx
    .update(chainSteps)
    .set({ ...texts, updatedAt: sql`now()` })
    .where(eq(chainSteps.id, id))
}

export async function touchChains(tx: Transaction, chainIds: number[]): Promise<void> {
  await tx
    .update(chains)
    .set({ revision: sql`${chains.revision} + 1`, updatedAt: sql`now()` })
    .where(inArray(chains.id, chainIds))
}
