import type { User, WhoMayMove } from '@catenary/contracts'

export interface LabelSubject {
  ownerId: number
  canEdit: boolean
}

interface Protection {
  whoMayMove: WhoMayMove
  /** They are in a group that the rule names. */
  namesTheirGroup: boolean
}

/** Whoever may change the record moves unprotected labels; a protected label's own rule says which of them. */
export function canMoveLabel(
  user: User | null,
  subject: LabelSubject,
  protection?: Protection | undefined,
): boolean {
  if (user === null || !subject.canEdit) return false
  if (protection === undefined || user.role === 'admin' || protection.namesTheirGroup) return true
  if (protection.whoMayMove === 'editors') return true
  return protection.whoMayMove === 'owners' && subject.ownerId === user.id
}

/** Its owner, and admins who see it, where they may move the label at all. */
export function canOverrideGate(user: User | null, subject: LabelSubject, protection: Protection): boolean {
  if (user === null || !canMoveLabel(user, subject, protection)) return false
  return subject.ownerId === user.id || user.role === 'admin'
}
