import type { GateState, User } from '@catenary/contracts'
import type { Database } from '../../db/executor.ts'
import { listProtectedLabels } from './protected-labels.repository.ts'
import type { ReleaseGate } from './release-gate.service.ts'
import { canOverrideGate } from './version-labels.policy.ts'
import { hasVersion } from './version-labels.repository.ts'
import { type Labelled, type LabelledRecord, noSuchVersion } from './version-labels.service.ts'

export type ReleasePreviewService = ReturnType<typeof createReleasePreviewService>

interface ReleasePreviewDeps<Stored extends LabelledRecord> {
  db: Database
  gate: ReleaseGate
  records: Labelled<Stored>
}

/** What a move of a label would meet; the move itself asks again. */
export function createReleasePreviewService<Stored extends LabelledRecord>({
  db,
  gate,
  records: { kind, findVisible, canEdit },
}: ReleasePreviewDeps<Stored>) {
  return {
    /** Throws `not_found` for a record that the person can't see. */
    find({
      id,
      label,
      version,
      user,
    }: {
      id: number
      label: string
      version: number
      user: User
    }): Promise<GateState> {
      return db.transaction(async (tx) => {
        const stored = await findVisible(tx, { id, user })
        if (!(await hasVersion(tx, { kind, id, version }))) throw noSuchVersion({ kind, version })
        const protection = (await listProtectedLabels(tx)).find((rule) => rule.label === label)
        if (!protection?.needsSuite) {
          return { needsSuite: false, passed: true, suites: [], canOverride: false }
        }
        const verdict = await gate.judge(tx, { kind, id, label, version, user })
        const subject = { ownerId: stored.ownerId, canEdit: canEdit(user, stored) }
        return {
          needsSuite: true,
          passed: verdict.passed,
          suites: verdict.passed ? [] : verdict.suites,
          canOverride: canOverrideGate(user, subject, protection),
        }
      })
    },
  }
}
