import type { User } from '@catenary/contracts'
import type { Transaction } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import type { FilesService } from '../files/files.ts'
import type { columnsOf } from './variable-columns.ts'
import type { VariableRecord } from './variable-record.ts'

interface OwnSourcesDeps {
  files: Pick<FilesService, 'hold'>
}

/** Types whose content is the key of an upload. */
const OF_FILES = ['file', 'image', 'document'] as const
const OF_KIND = { file: 'a text', image: 'an image', document: 'a PDF' }

/** The type, if its content is the key of an upload and there is one. */
export function fileTypeOf({ type, content }: Pick<VariableRecord, 'type' | 'content'>) {
  return content === '' ? undefined : OF_FILES.find((one) => one === type)
}

/** Throws `invalid` for a key that the owner has not uploaded, or of another kind; another person's key is as absent. */
export async function requireFile(
  { files }: OwnSourcesDeps,
  tx: Transaction,
  { key, type, ownerId, user }: { key: string; type: (typeof OF_FILES)[number]; ownerId: number; user: User },
): Promise<void> {
  const held = ownerId === user.id ? await files.hold(tx, { ownerId, key }) : undefined
  if (held === type) return
  throw fieldError(
    'content',
    held === undefined
      ? 'There is no such file among your uploads. Upload it, then save the variable.'
      : `This file is ${OF_KIND[held]}, not ${OF_KIND[type]}.`,
  )
}

/** Only the owner may point a variable at another private source of theirs (D25, D26). */
export async function requireOwnSources(
  deps: OwnSourcesDeps,
  tx: Transaction,
  { stored, columns, user }: { stored: VariableRecord; columns: ReturnType<typeof columnsOf>; user: User },
): Promise<void> {
  const { ownerId } = stored
  const { type, content: key, googleDriveFileId } = columns
  const isSameType = type === stored.type
  const fileType = fileTypeOf(columns)
  if (fileType !== undefined && !(isSameType && key === stored.content))
    await requireFile(deps, tx, { key, type: fileType, ownerId, user })
  const isNewDriveFile = !isSameType || googleDriveFileId !== stored.googleDriveFileId
  if (type === 'googleDrive' && isNewDriveFile && ownerId !== user.id)
    throw new AppError('forbidden', "Only the variable's owner may choose another Google Drive file")
}
