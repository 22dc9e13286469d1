import {
  type AttachmentKind,
  FILE_MAX_BYTES,
  kindOfMedia,
  type UploadRequest,
  type User,
} from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { toFileKey } from './file-key.ts'
import {
  copyFileRow,
  createFile,
  deleteUnusedFiles,
  findOptionalFileContent,
  lockFile,
  lockSource,
  type OwnedKey,
  renewMedia,
} from './files.sql.ts'

/** How long an upload waits for a variable to be saved with it. */
const UNUSED_MS = 24 * 60 * 60 * 1000

type HeldFile = 'file' | AttachmentKind

type Upload = UploadRequest & { user: User }

/** Keeps the text, which only its owner's key finds (D25); the result is that key. Throws `too_large`. */
export async function uploadText(ctx: Context, { fileName, content, user }: Upload): Promise<string> {
  if (Buffer.byteLength(content) > FILE_MAX_BYTES) throw fileTooLarge()
  return transaction(ctx, async (ctx) => {
    for (let timestamp = ctx.now().getTime(); ; timestamp += 1) {
      const key = toFileKey({ fileName, timestamp })
      const id = await createFile(ctx.db, { ownerId: user.id, key, content })
      if (id === undefined) continue
      await recordActivity(ctx, { kind: 'file.uploaded', object: 'file', id })
      return key
    }
  })
}

export function readText({ db }: SqlContext, file: OwnedKey): Promise<string | undefined> {
  return findOptionalFileContent(db, file)
}

/** What the owner has uploaded under it, if anything; that is then not cleared away before the transaction ends. */
export async function holdFile(
  { db }: SqlContext<Transaction>,
  file: OwnedKey,
): Promise<HeldFile | undefined> {
  const found = await lockFile(db, file)
  return found && (found.mediaType === null ? 'file' : kindOfMedia(found.mediaType))
}

/**
 * The same file among another person's, by its key where that is free there. Returns its key; undefined where the owner
 * has no file of that key.
 */
export async function copyFile(
  { db, now }: Context<Transaction>,
  { from, to, key }: { from: number; to: number; key: string },
): Promise<string | undefined> {
  const source = await lockSource(db, { ownerId: from, key })
  if (source === undefined) return undefined
  const { id, sha256, fileName } = source
  const name = key.replace(/^uploads\/\d+_/, '')
  let copied = key
  for (let timestamp = now().getTime(); ; timestamp += 1) {
    const known =
      sha256 === null ? undefined : await renewMedia(db, { ownerId: to, sha256, fileName: fileName ?? '' })
    if (known !== undefined) return known.key
    if (await copyFileRow(db, { id, ownerId: to, key: copied })) return copied
    copied = toFileKey({ fileName: name, timestamp })
  }
}

export function deleteUnused(ctx: Context): Promise<number> {
  return transaction(ctx, ({ db, now }) =>
    deleteUnusedFiles(db, { before: new Date(now().getTime() - UNUSED_MS) }),
  )
}

export function fileTooLarge(): AppError {
  return new AppError('too_large', 'The file is larger than 1 MiB')
}
