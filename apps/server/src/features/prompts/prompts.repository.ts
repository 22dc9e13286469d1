import { count, eq, or, type SQL } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { prompts } from '../../db/schema/index.ts'

/** The rows that `canSeePrompt` lets the viewer see. */
function visibleTo(viewerId: number | undefined): SQL | undefined {
  const isPublic = eq(prompts.isPublic, true)
  return viewerId === undefined ? isPublic : or(isPublic, eq(prompts.ownerId, viewerId))
}

export function countPromptsByCategory(executor: Executor, { viewerId }: { viewerId: number | undefined }) {
  return executor
    .select({ categoryId: prompts.categoryId, count: count() })
    .from(prompts)
    .where(visibleTo(viewerId))
    .groupBy(prompts.categoryId)
}
