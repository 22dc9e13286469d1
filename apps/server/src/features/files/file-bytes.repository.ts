import { eq } from 'drizzle-orm'
import type { Executor } from '../../db/executor.ts'
import { fileBytes } from '../../db/schema/index.ts'

/** Where bytes of files are; a bucket can take the place of the table. */
export interface FileBytes {
  /** In the caller's transaction where it is the database. */
  put(executor: Executor, file: { fileId: number; bytes: Uint8Array }): Promise<void>
  /** Undefined where there are none. */
  get(executor: Executor, fileId: number): Promise<Buffer | undefined>
  /** With its row a file's bytes go by themselves; a bucket is told here. */
  delete(executor: Executor, fileId: number): Promise<void>
}

/** Beside the rows of the files themselves. */
export const fileBytesInDatabase: FileBytes = {
  async put(executor, { fileId, bytes }) {
    await executor
      .insert(fileBytes)
      .values({ fileId, bytes: Buffer.from(bytes) })
      .onConflictDoNothing()
  },
  async get(executor, fileId) {
    const [found] = await executor
      .select({ bytes: fileBytes.bytes })
      .from(fileBytes)
      .where(eq(fileBytes.fileId, fileId))
    return found?.bytes
  },
  async delete(executor, fileId) {
    await executor.delete(fileBytes).where(eq(fileBytes.fileId, fileId))
  },
}
