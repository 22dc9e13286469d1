import type { ProtectedLabel, ProtectLabelRequest, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import {
  createProtectionEvent,
  deleteProtectedLabel,
  listProtectedLabels,
  saveProtectedLabel,
} from './protected-labels.repository.ts'

export type ProtectedLabelsService = ReturnType<typeof createProtectedLabelsService>

/** Which labels not every editor may move, on whatever record; the caller has made sure that an admin asks. */
export function createProtectedLabelsService({ db }: { db: Database }) {
  return {
    /** By name. */
    list: (): Promise<ProtectedLabel[]> => listProtectedLabels(db),

    /** Protects the label, or protects it otherwise. */
    save({
      label,
      rule,
      actor,
    }: {
      label: string
      rule: ProtectLabelRequest
      actor: User
    }): Promise<ProtectedLabel[]> {
      return db.transaction(async (tx) => {
        await saveProtectedLabel(tx, { label, ...rule })
        const details = { label, ...rule }
        await createProtectionEvent(tx, { actorId: actor.id, action: 'label.protected', details })
        return listProtectedLabels(tx)
      })
    },

    async delete({ label, actor }: { label: string; actor: User }): Promise<void> {
      await db.transaction(async (tx) => {
        if (!(await deleteProtectedLabel(tx, label))) {
          throw new AppError('not_found', 'This label is not protected')
        }
        await createProtectionEvent(tx, {
          actorId: actor.id,
          action: 'label.unprotected',
          details: { label },
        })
      })
    },
  }
}
