import type { Transaction } from '../../db/executor.ts'
import { slot } from '../../platform/context.ts'
import type { Platform } from '../../platform/platform.ts'
import { chainLabelsRoutes, promptLabelsRoutes } from './labels.routes.ts'
import { type LabelMoveIn, labelNewIn, moveLabelIn } from './operations/move-label-within.ts'
import { protectedLabelsRoutes } from './protected-labels.routes.ts'
import type { RecordPorts } from './record-port.ts'
import type { RecordsDeps } from './records-deps.ts'
import { chainSharesRoutes, promptSharesRoutes } from './shares.routes.ts'
import { chainVersionsRoutes, promptVersionsRoutes } from './versions.routes.ts'

export { findChainVersion, findPromptVersion, type VersionChoice } from './operations/find-version.ts'
export { labelsByVersion, labelsNeedingSuite } from './operations/read-labels.ts'
export {
  findRecordRights,
  type RecordKey,
  type RecordPort,
  type RecordPorts,
  type RecordRights,
  type RecordView,
} from './record-port.ts'
export type { GateVerdict, ReleaseGate } from './release-gate.ts'
export { nothingToNote, requireVersion } from './version-errors.ts'

export type RecordsService = ReturnType<typeof createRecords>['service']
export const recordsSlot = slot<RecordsService>()
export const recordPortsSlot = slot<RecordPorts>()

/** Prompts and chains as far as both are alike: their versions, whom they are shared with, and which versions have labels. */
export function createRecords(
  { db }: Pick<Platform, 'db'>,
  { gate, ports, webhooks }: Omit<RecordsDeps, 'db'>,
) {
  const deps: RecordsDeps = { db, gate, ports, webhooks }
  return {
    service: {
      moveLabelIn: (tx: Transaction, move: LabelMoveIn) => moveLabelIn(deps, tx, move),
      labelNewIn,
    },
    routes: [
      promptVersionsRoutes(deps),
      chainVersionsRoutes(deps),
      promptSharesRoutes(deps),
      chainSharesRoutes(deps),
      promptLabelsRoutes(deps),
      chainLabelsRoutes(deps),
      protectedLabelsRoutes(deps),
    ],
  }
}
