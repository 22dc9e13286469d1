import { and, eq, inArray, lt, notExists, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/executor.ts'
import { files, variables } from '../../db/schema/index.ts'

/** A key means something only together with who uploaded it. */
export interface OwnedKey {
  ownerId: number
  key: string
}

function isFile({ ownerId, key }: OwnedKey) {
  return and(eq(files.ownerId, ownerId), eq(files.key, key))
}

/** False when the owner has a file of that key. */
export async function createFile(executor: Executor, file: OwnedKey & { content: string }): Promise<boolean> {
  const created = await executor.insert(files).values(file).onConflictDoNothing().returning({ id: files.id })
  return created.length > 0
}

export async function findOptionalFileContent(
  executor: Executor,
  file: OwnedKey,
): Promise<string | undefined> {
  const [found] = await executor.select({ content: files.content }).from(files).where(isFile(file))
  return found?.content
}

/** Whether there is one; it then stays until the transaction ends. */
export async function lockFile(tx: Transaction, file: OwnedKey): Promise<boolean> {
  const found = await tx.select({ id: files.id }).from(files).where(isFile(file)).for('share')
  return found.length > 0
}

/** Deletes the files from before that time which no variable of their owner refers to; the number of them. */
export async function deleteUnusedFiles(tx: Transaction, { before }: { before: Date }): Promise<number> {
  const isUnused = notExists(
    tx
      .select({ one: sql`1` })
      .from(variables)
      .where(
        and(
          eq(variables.type, 'file'),
          eq(variables.ownerId, files.ownerId),
          eq(variables.content, files.key),
        ),
      ),
  )
  // In two steps: a variable that is being saved with the file holds its lock, and is seen by the second.
  const candidates = await tx
    .select({ id: files.id })
    .from(files)
    .where(and(lt(files.createdAt, before), isUnused))
    .for('update', { skipLocked: true })
  if (candidates.length === 0) return 0
  const ids = candidates.map(({ id }) => id)
  const { rowCount } = await tx.delete(files).where(and(inArray(files.id, ids), isUnused))
  return rowCount ?? 0
}
