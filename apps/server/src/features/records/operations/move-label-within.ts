import type { LabelledKind, User } from '@catenary/contracts'
import type { Transaction } from '../../../db/executor.ts'
import { AppError } from '../../../errors.ts'
import { createMove, listLabels, saveLabel } from '../labels.repository.ts'
import { listProtectedLabels } from '../protected-labels.repository.ts'
import type { RecordKey } from '../record-port.ts'
import type { RecordsDeps } from '../records-deps.ts'
import { applyMove } from './move-label.ts'

export interface LabelMoveIn extends RecordKey {
  label: string
  user: User
  reason: string
}

/** Moves a label that nobody protects to the current version. Throws `forbidden` for a protected one. */
export async function moveLabelIn(
  deps: RecordsDeps,
  tx: Transaction,
  { kind, id, label, user, reason }: LabelMoveIn,
): Promise<void> {
  await requireUnprotected(tx, label)
  const record = await deps.ports[kind].openForChange({ db: tx }, { id, user })
  const before = (await listLabels(tx, { kind, id })).find((each) => each.label === label)
  const move = { kind, id, label, user, reason, override: false, version: record.version }
  await applyMove(deps, tx, { record, move: { ...move, expectedVersion: before?.version ?? null } })
}

async function requireUnprotected(tx: Transaction, label: string): Promise<void> {
  if (!(await isProtected(tx, label))) return
  throw new AppError('forbidden', `${label} is protected: it is moved by a person, on the page of versions`)
}

async function isProtected(tx: Transaction, label: string): Promise<boolean> {
  return (await listProtectedLabels(tx)).some((each) => each.label === label)
}

interface NewLabel extends RecordKey {
  kind: LabelledKind
  label: string
  user: User
}

/** Points a label of a record that is new to its first version, unless it is protected; whether it did. */
export async function labelNewIn(tx: Transaction, { kind, id, label, user }: NewLabel): Promise<boolean> {
  if (await isProtected(tx, label)) return false
  const move = { kind, id, label, userId: user.id, toVersion: 1 }
  await saveLabel(tx, { ...move, isOfRecord: true })
  await createMove(tx, {
    ...move,
    fromVersion: null,
    reason: 'Imported',
    override: false,
    evaluationId: null,
  })
  return true
}
