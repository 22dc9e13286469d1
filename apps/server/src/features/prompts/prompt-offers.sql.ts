import type { Fill } from '@catenary/contracts'
import { and, asc, desc, eq, inArray, isNotNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/executor.ts'
import { promptAcceptances, promptSkills, prompts, users } from '../../db/schema/index.ts'
import { promptsVisibleTo } from '../../db/sql/visible-rows.ts'

/** Others' prompts that the person can see. */
function isOffered(userId: number): SQL | undefined {
  return and(ne(prompts.ownerId, userId), promptsVisibleTo(userId))
}

function isAcceptanceOf(userId: number): SQL | undefined {
  return and(eq(promptAcceptances.recordId, prompts.id), eq(promptAcceptances.userId, userId))
}

/** Newest prompt first, from before an id on. */
export function listPromptOffers(
  db: Executor,
  { userId, before, limit }: { userId: number; before: number | undefined; limit: number },
) {
  return db
    .select({
      promptId: prompts.id,
      promptTitle: prompts.title,
      owner: users.displayUsername,
      ownerIsAdmin: sql<boolean>`${users.role} = 'admin'`,
      isPublic: prompts.isPublic,
      isSkill: sql<boolean>`${isNotNull(promptSkills.promptId)}`,
      acceptedAt: promptAcceptances.createdAt,
      fills: promptAcceptances.fills,
    })
    .from(prompts)
    .innerJoin(users, eq(users.id, prompts.ownerId))
    .leftJoin(promptSkills, eq(promptSkills.promptId, prompts.id))
    .leftJoin(promptAcceptances, isAcceptanceOf(userId))
    .where(and(isOffered(userId), before === undefined ? undefined : lt(prompts.id, before)))
    .orderBy(desc(prompts.id))
    .limit(limit)
}

export async function countPromptOffers(db: Executor, userId: number): Promise<number> {
  return db.$count(prompts, isOffered(userId))
}

/** The prompts that the person can see, locked so that access can't be revoked until the transaction ends. */
export async function lockOfferedPrompts(
  tx: Transaction,
  { ids, userId }: { ids: number[]; userId: number },
): Promise<{ id: number; ownerId: number }[]> {
  await tx
    .select({ id: prompts.id })
    .from(prompts)
    .where(inArray(prompts.id, ids))
    .orderBy(asc(prompts.id))
    .for('share')
  return tx
    .select({ id: prompts.id, ownerId: prompts.ownerId })
    .from(prompts)
    .where(and(inArray(prompts.id, ids), promptsVisibleTo(userId)))
}

export async function createPromptAcceptances(
  tx: Transaction,
  { ids, userId, fillsOf }: { ids: number[]; userId: number; fillsOf: (id: number) => Promise<Fill[]> },
): Promise<void> {
  for (const recordId of ids) {
    const fills = await fillsOf(recordId)
    await tx
      .insert(promptAcceptances)
      .values({ recordId, userId, fills })
      .onConflictDoUpdate({ target: [promptAcceptances.userId, promptAcceptances.recordId], set: { fills } })
  }
}

/** Whether there was one. */
export async function deletePromptAcceptance(
  db: Executor,
  { id, userId }: { id: number; userId: number },
): Promise<boolean> {
  const deleted = await db
    .delete(promptAcceptances)
    .where(and(eq(promptAcceptances.recordId, id), eq(promptAcceptances.userId, userId)))
    .returning({ id: promptAcceptances.recordId })
  return deleted.length > 0
}

/** Ends the acceptances of people who no longer see the prompt: shared with them again, it is a new offer. */
export async function endLostPromptAcceptances(tx: Transaction, promptId: number): Promise<void> {
  const shares = sql`select 1 from prompt_shares s where s.prompt_id = prompt_acceptances.prompt_id
    and s.user_id = prompt_acceptances.user_id`
  const isVisible = sql`exists (select 1 from ${prompts} where ${prompts.id} = prompt_acceptances.prompt_id
    and (${prompts.isPublic} or ${prompts.ownerId} = prompt_acceptances.user_id)) or exists (${shares})`
  await tx
    .delete(promptAcceptances)
    .where(and(eq(promptAcceptances.recordId, promptId), sql`not (${isVisible})`))
}
