import type { PromptVersion } from '@catenary/contracts'
import { and, desc, eq } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { promptVersions, users } from '../../db/schema/index.ts'

function selectVersions(executor: Executor) {
  return executor
    .select({
      number: promptVersions.number,
      title: promptVersions.title,
      content: promptVersions.content,
      author: users.displayUsername,
      createdAt: promptVersions.createdAt,
    })
    .from(promptVersions)
    .leftJoin(users, eq(users.id, promptVersions.authorId))
}

function toVersion(row: Awaited<ReturnType<typeof selectVersions>>[number]): PromptVersion {
  return { ...row, createdAt: row.createdAt.toISOString() }
}

/** Newest first. */
export async function listPromptVersions(executor: Executor, promptId: number): Promise<PromptVersion[]> {
  const rows = await selectVersions(executor)
    .where(eq(promptVersions.promptId, promptId))
    .orderBy(desc(promptVersions.number))
  return rows.map(toVersion)
}

export async function findOptionalPromptVersion(
  executor: Executor,
  { promptId, number }: { promptId: number; number: number },
): Promise<PromptVersion | undefined> {
  const [found] = await selectVersions(executor).where(
    and(eq(promptVersions.promptId, promptId), eq(promptVersions.number, number)),
  )
  return found && toVersion(found)
}

export async function createPromptVersion(
  executor: Executor,
  version: { promptId: number; number: number; title: string; content: string; authorId: number },
): Promise<void> {
  await executor.insert(promptVersions).values(version)
}
