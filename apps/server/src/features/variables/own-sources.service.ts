import type { User } from '@catenary/contracts'
import type { Transaction } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import type { FilesService } from '../files/files.ts'
import type { columnsOf } from './variable-columns.ts'
import type { VariableRecord } from './variable-record.ts'

interface OwnSourcesDeps {
  files: Pick<FilesService, 'hold'>
}

/** Throws `invalid` for a key that the owner has not uploaded; another person's key is as absent. */
export async function requireFile(
  { files }: OwnSourcesDeps,
  tx: Transaction,
  { key, ownerId, user }: { key: string; ownerId: number; user: User },
): Promise<void> {
  if (ownerId === user.id && (await files.hold(tx, { ownerId, key }))) return
  throw fieldError('content', 'There is no such file among your uploads. Upload it, then save the variable.')
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
  if (type === 'file' && key !== '' && !(isSameType && key === stored.content))
    await requireFile(deps, tx, { key, ownerId, user })
  const isNewDriveFile = !isSameType || googleDriveFileId !== stored.googleDriveFileId
  if (type === 'googleDrive' && isNewDriveFile && ownerId !== user.id)
    throw new AppError('forbidden', "Only the variable's owner may choose another Google Drive file")
}
