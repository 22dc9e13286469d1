import type { FailingSuite, RecordKind, User } from '@catenary/contracts'
import type { Transaction } from '../../db/executor.ts'
import { slot } from '../../platform/context.ts'

/** A label that needs a passed test suite is about to point to a version. */
interface GatedMove {
  kind: RecordKind
  /** Of the record, which the transaction has locked. */
  id: number
  label: string
  version: number
  user: User
}

export type GateVerdict =
  | { passed: true; evaluationId: number | null }
  /** No suites: the record has none that was evaluated. */
  | { passed: false; suites: FailingSuite[] }

/** Says whether a version passed the test suites of its record. */
export interface ReleaseGate {
  /** In the move's transaction: what it reads can't change before the label is there. */
  judge: (tx: Transaction, move: GatedMove) => Promise<GateVerdict>
}

/** That of the program, or of a test. */
export const releaseGateSlot = slot<ReleaseGate>()
