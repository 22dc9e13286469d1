import type { ProtectedLabel, ProtectLabelRequest, User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import {
  deleteProtectedLabel,
  insertProtectionEvent,
  listProtectedLabels,
  upsertProtectedLabel,
} from './labels.sql.ts'

export function listProtections({ db }: Context): Promise<ProtectedLabel[]> {
  return listProtectedLabels(db)
}

export function protectLabel(
  ctx: Context,
  { label, rule, user }: { label: string; rule: ProtectLabelRequest; user: User },
): Promise<ProtectedLabel[]> {
  return transaction(ctx, async ({ db }) => {
    const protection = { label, ...rule }
    await upsertProtectedLabel(db, protection)
    await insertProtectionEvent(db, { actorId: user.id, action: 'label.protected', details: protection })
    return listProtectedLabels(db)
  })
}

export function unprotectLabel(ctx: Context, { label, user }: { label: string; user: User }): Promise<void> {
  return transaction(ctx, async ({ db }) => {
    if (!(await deleteProtectedLabel(db, label))) {
      throw new AppError('not_found', 'This label is not protected')
    }
    await insertProtectionEvent(db, { actorId: user.id, action: 'label.unprotected', details: { label } })
  })
}
