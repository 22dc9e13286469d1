import type { PromptVersion } from '@catenary/contracts'
import { and, count, desc, eq, lt } from 'drizzle-orm'
import { clipOf } from '../../db/clipped-text.ts'
import type { Executor } from '../../db/executor.ts'
import { promptVersions, users } from '../../db/schema/index.ts'
import { violatedConstraint } from '../../db/violated-constraint.ts'
import type { VersionDeletion } from '../../record-versions.ts'

const versionColumns = {
  number: promptVersions.number,
  title: promptVersions.title,
  content: promptVersions.content,
  note: promptVersions.note,
  author: users.displayUsername,
  createdAt: promptVersions.createdAt,
}

/** Newest first, from before a number on, each with the beginning of its content. */
export async function listPromptVersions(
  executor: Executor,
  { promptId, before, limit }: { promptId: number; before: number | undefined; limit: number },
): Promise<(PromptVersion & { contentLength: number })[]> {
  const { number, contentLength } = promptVersions
  const rows = await executor
    .select({ ...versionColumns, content: clipOf(promptVersions.content), contentLength })
    .from(promptVersions)
    .leftJoin(users, eq(users.id, promptVersions.authorId))
    .where(and(eq(promptVersions.promptId, promptId), before ? lt(number, before) : undefined))
    .orderBy(desc(number))
    .limit(limit)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}

export async function countPromptVersions(executor: Executor, promptId: number): Promise<number> {
  const [row] = await executor
    .select({ count: count() })
    .from(promptVersions)
    .where(eq(promptVersions.promptId, promptId))
  return row?.count ?? 0
}

export async function findOptionalPromptVersion(
  executor: Executor,
  { promptId, number }: { promptId: number; number: number },
): Promise<PromptVersion | undefined> {
  const [found] = await executor
    .select(versionColumns)
    .from(promptVersions)
    .leftJoin(users, eq(users.id, promptVersions.authorId))
    .where(and(eq(promptVersions.promptId, promptId), eq(promptVersions.number, number)))
  return found && { ...found, createdAt: found.createdAt.toISOString() }
}

export async function createPromptVersion(
  executor: Executor,
  version: {
    promptId: number
    number: number
    title: string
    content: string
    note?: string | undefined
    authorId: number
  },
): Promise<void> {
  await executor.insert(promptVersions).values(version)
}

export async function deletePromptVersion(
  executor: Executor,
  { promptId, number }: { promptId: number; number: number },
): Promise<VersionDeletion> {
  try {
    const { rowCount } = await executor
      .delete(promptVersions)
      .where(and(eq(promptVersions.promptId, promptId), eq(promptVersions.number, number)))
    return rowCount === 0 ? 'absent' : 'deleted'
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error
    return 'held'
  }
}
