import { and, asc, count, eq, sql } from 'drizzle-orm'
import { byLetters } from '../../database/schema/columns.ts'
import { promptSkills, prompts, users } from '../../database/schema/index.ts'
import { clipOf } from '../../database/statements/clipped-text.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { promptsVisibleTo } from '../../database/statements/visible-rows.ts'

type StoredSkill = typeof promptSkills.$inferSelect

export async function findOptionalSkill(db: Executor, promptId: number): Promise<StoredSkill | undefined> {
  const [found] = await db.select().from(promptSkills).where(eq(promptSkills.promptId, promptId))
  return found
}

export async function saveSkillRow(
  db: Executor,
  { promptId, ...fields }: Pick<StoredSkill, 'promptId' | 'description' | 'parts' | 'namedBy'>,
): Promise<void> {
  await db
    .insert(promptSkills)
    .values({ promptId, ...fields })
    .onConflictDoUpdate({ target: promptSkills.promptId, set: { ...fields, updatedAt: sql`now()` } })
}

export async function deleteSkillRow(db: Executor, promptId: number): Promise<boolean> {
  const deleted = await db
    .delete(promptSkills)
    .where(eq(promptSkills.promptId, promptId))
    .returning({ id: promptSkills.promptId })
  return deleted.length > 0
}

export function listSkillRows(
  db: Executor,
  {
    userId,
    after,
    limit,
  }: { userId: number; after: { slug: string; id: number } | undefined; limit: number },
) {
  return db
    .select({
      promptId: prompts.id,
      slug: prompts.slug,
      title: prompts.title,
      description: clipOf(promptSkills.description),
      owner: users.displayUsername,
      parts: sql<number>`jsonb_array_length(${promptSkills.parts})`,
    })
    .from(promptSkills)
    .innerJoin(prompts, eq(prompts.id, promptSkills.promptId))
    .innerJoin(users, eq(users.id, prompts.ownerId))
    .where(
      and(
        promptsVisibleTo(userId),
        after && sql`(${byLetters(prompts.slug)}, ${prompts.id}) > (${after.slug}, ${after.id}::integer)`,
      ),
    )
    .orderBy(asc(byLetters(prompts.slug)), asc(prompts.id))
    .limit(limit)
}

export async function countSkills(db: Executor, userId: number): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(promptSkills)
    .innerJoin(prompts, eq(prompts.id, promptSkills.promptId))
    .where(promptsVisibleTo(userId))
  return row?.count ?? 0
}
