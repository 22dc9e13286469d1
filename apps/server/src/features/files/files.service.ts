import {
  type AttachmentKind,
  FILE_MAX_BYTES,
  kindOfMedia,
  type UploadRequest,
  type User,
} from '@catenary/contracts'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { toFileKey } from './file-key.ts'
import {
  createFile,
  deleteUnusedFiles,
  findOptionalFileContent,
  lockFile,
  type OwnedKey,
} from './files.repository.ts'

/** How long an upload waits for a variable to be saved with it. */
const UNUSED_MS = 24 * 60 * 60 * 1000

type HeldFile = 'file' | AttachmentKind

type Upload = UploadRequest & { user: User }

export type FilesService = ReturnType<typeof createFilesService>

/** Uploaded text, kept in the database and found by its owner's key only (D25). */
export function createFilesService({ db, now }: { db: Database; now: () => Date }) {
  /** In the caller's transaction. */
  async function uploadIn(executor: Executor, { fileName, content, user }: Upload): Promise<string> {
    if (Buffer.byteLength(content) > FILE_MAX_BYTES) throw fileTooLarge()
    for (let timestamp = now().getTime(); ; timestamp += 1) {
      const key = toFileKey({ fileName, timestamp })
      if (await createFile(executor, { ownerId: user.id, key, content })) return key
    }
  }

  return {
    uploadIn,

    /** Stores the text; the result is its key. Throws `too_large`. */
    upload: (upload: Upload): Promise<string> => uploadIn(db, upload),

    /** The text under the key, or undefined when the owner has uploaded none. */
    read: (file: OwnedKey): Promise<string | undefined> => findOptionalFileContent(db, file),

    /** What the owner has uploaded under it, if anything; that is then not cleared away before the transaction ends. */
    async hold(tx: Transaction, file: OwnedKey): Promise<HeldFile | undefined> {
      const found = await lockFile(tx, file)
      return found && (found.mediaType === null ? 'file' : kindOfMedia(found.mediaType))
    },

    /** The number of files that no variable had used for a day. */
    deleteUnused: (): Promise<number> =>
      db.transaction((tx) => deleteUnusedFiles(tx, { before: new Date(now().getTime() - UNUSED_MS) })),
  }
}

/** The reply to an upload of more than 1 MiB. */
export function fileTooLarge(): AppError {
  return new AppError('too_large', 'The file is larger than 1 MiB')
}
