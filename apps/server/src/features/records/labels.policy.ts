import type { ProtectedLabel, User } from '@catenary/contracts'

export interface LabelSubject {
  ownerId: number
  canEdit: boolean
}

/** Whoever may change the record moves unprotected labels; a protected label's own rule says which of them. */
export function canMoveLabel(
  user: User | null,
  subject: LabelSubject,
  protection?: Pick<ProtectedLabel, 'whoMayMove'> | undefined,
): boolean {
  if (user === null || !subject.canEdit) return false
  if (protection === undefined || protection.whoMayMove === 'editors' || user.role === 'admin') return true
  return protection.whoMayMove === 'owners' && subject.ownerId === user.id
}

/** Its owner, and admins who see it, where they may move the label at all. */
export function canOverrideGate(
  user: User | null,
  subject: LabelSubject,
  protection: Pick<ProtectedLabel, 'whoMayMove'>,
): boolean {
  if (user === null || !canMoveLabel(user, subject, protection)) return false
  return subject.ownerId === user.id || user.role === 'admin'
}
