import type { UpgradeNotice } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import type { Log } from '../../platform/log/log.ts'
import { countClosedEvaluations, dismissClosedEvaluations } from './admin.repository.ts'

export type UpgradeNoticeService = ReturnType<typeof createUpgradeNoticeService>

/** What an upgrade changed that administrators must know, until one of them has read it. */
export function createUpgradeNoticeService({ db, log }: { db: Database; log: Log }) {
  return {
    read: async (): Promise<UpgradeNotice> => ({ closedEvaluations: await countClosedEvaluations(db) }),

    dismiss: (): Promise<void> => dismissClosedEvaluations(db),

    /** Says it in the log too. */
    async logNotice(): Promise<void> {
      const evaluations = await countClosedEvaluations(db)
      if (evaluations === null) return
      log.warn(
        { evaluations },
        'until the upgrade, other people could read what these evaluations found with private values; now only who ran them can (D59)',
      )
    },
  }
}
