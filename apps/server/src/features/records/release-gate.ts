import type { FailingSuite, RecordKind, User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { slot } from '../../platform/context.ts'

interface GatedMove {
  kind: RecordKind
  id: number
  label: string
  version: number
  user: User
}

export type GateVerdict =
  | { passed: true; evaluationId: number | null }
  /** No suites: the record has none that was evaluated. */
  | { passed: false; suites: FailingSuite[] }

export interface ReleaseGate {
  /** In the move's transaction: what it reads can't change before the label is there. */
  judge: (tx: Transaction, move: GatedMove) => Promise<GateVerdict>
}

export const releaseGateSlot = slot<ReleaseGate>()
