import type { EvaluationStatus, User } from '@catenary/contracts'
import type { RecordRights } from '../records/records.ts'

interface Subject {
  startedBy: number
  status: EvaluationStatus
}

export function seesAllEvaluations(rights: RecordRights): boolean {
  return rights.canView && rights.canEdit
}

/**
 * The person who started it, editors of the record, and, once it is complete, everyone who sees the record and has
 * its address. If it is kept from them, they see from its start only that it exists (D68): its end would tell of
 * the runs.
 */
export function canSeeEvaluation(
  user: User,
  { startedBy, status, isKept }: Subject & { isKept: boolean },
  rights: RecordRights,
): boolean {
  if (!rights.canView) return false
  return startedBy === user.id || rights.canEdit || status === 'completed' || isKept
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
