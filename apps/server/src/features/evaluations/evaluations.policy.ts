import type { EvaluationStatus, User } from '@catenary/contracts'
import type { RecordRights } from '../records/records.ts'

interface Subject {
  startedBy: number
  status: EvaluationStatus
}

/** Whether all evaluations of the record are listed for them, or their own only. */
export function seesAllEvaluations(rights: RecordRights): boolean {
  return rights.canView && rights.canEdit
}

/** The person who started it, editors of the record, and once complete, everyone who sees the record and has its address. */
export function canSeeEvaluation(user: User, { startedBy, status }: Subject, rights: RecordRights): boolean {
  if (!rights.canView) return false
  return startedBy === user.id || rights.canEdit || status === 'completed'
}

/** The person who started it, and editors of the record. */
export function canStopEvaluation(user: User, { startedBy }: Subject, rights: RecordRights): boolean {
  return rights.canView && (startedBy === user.id || rights.canEdit)
}

/** Only the person who started it: it runs with their rights, values and money. */
export function canResumeEvaluation(user: User, { startedBy }: Subject, rights: RecordRights): boolean {
  return rights.canView && startedBy === user.id
}

/** Only the person who started it: its results are theirs. */
export function canDeleteEvaluation(user: User, { startedBy }: Subject): boolean {
  return startedBy === user.id
}
