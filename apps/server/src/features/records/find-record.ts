import type { RecordKind, User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import type { SqlContext } from '../../platform/context.ts'
import type { RecordKey } from './record-kinds.sql.ts'
import { canEditRecord, canShareRecord, canViewRecord } from './records.policy.ts'
import { findOptionalRecord, lockRecord } from './records.sql.ts'

export interface RecordRights {
  canView: boolean
  canEdit: boolean
}

export interface RecordView extends RecordRights {
  id: number
  owner: string
  ownerId: number
  version: number
  canShare: boolean
}

interface ForUser extends RecordKey {
  user: User
}

interface ForViewer extends RecordKey {
  user: User | null
}

export async function findRecord({ db }: SqlContext, { kind, id, user }: ForViewer): Promise<RecordView> {
  const found = await findOptionalRecord(db, { kind, id, viewerId: user?.id })
  if (found === undefined || !canViewRecord(user, found)) throw recordNotFound(kind)
  const { owner, ownerId, version } = found
  const rights = { canEdit: canEditRecord(user, found), canShare: canShareRecord(user, found) }
  return { id, owner, ownerId, version, canView: true, ...rights }
}

export async function findEditableRecord(ctx: SqlContext, wanted: ForUser): Promise<RecordView> {
  const record = await findRecord(ctx, wanted)
  if (!record.canEdit) throw new AppError('forbidden', `You can’t change this ${wanted.kind}`)
  return record
}

export async function openRecord(ctx: SqlContext<Transaction>, wanted: ForUser): Promise<RecordView> {
  await lockRecord(ctx.db, wanted)
  return findEditableRecord(ctx, wanted)
}

/** No rights to what is gone or what the user can't see. */
export async function findRecordRights({ db }: SqlContext, { user, ...of }: ForUser): Promise<RecordRights> {
  const found = await findOptionalRecord(db, { ...of, viewerId: user.id })
  return {
    canView: found !== undefined && canViewRecord(user, found),
    canEdit: found !== undefined && canEditRecord(user, found),
  }
}

const NOT_FOUND = { chain: 'Chain not found', prompt: 'Prompt not found' }

export const recordNotFound = (kind: RecordKind) => new AppError('not_found', NOT_FOUND[kind])
