import type { ProtectedLabel, ProtectLabelRequest, User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import {
  deleteProtectedLabel,
  insertProtectionEvent,
  listProtectedLabels,
  upsertProtectedLabel,
} from '../protected-labels.repository.ts'
import type { RecordsDeps } from '../records-deps.ts'

/** By name. */
export const listProtections = ({ db }: RecordsDeps): Promise<ProtectedLabel[]> => listProtectedLabels(db)

/** Protects it, or protects it otherwise, on every record. For administrators. */
export function protectLabel(
  { db }: RecordsDeps,
  { label, rule, user }: { label: string; rule: ProtectLabelRequest; user: User },
): Promise<ProtectedLabel[]> {
  return db.transaction(async (tx) => {
    const protection = { label, ...rule }
    await upsertProtectedLabel(tx, protection)
    await insertProtectionEvent(tx, { actorId: user.id, action: 'label.protected', details: protection })
    return listProtectedLabels(tx)
  })
}

export function unprotectLabel(
  { db }: RecordsDeps,
  { label, user }: { label: string; user: User },
): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await deleteProtectedLabel(tx, label))) {
      throw new AppError('not_found', 'This label is not protected')
    }
    await insertProtectionEvent(tx, { actorId: user.id, action: 'label.unprotected', details: { label } })
  })
}
