import type { User } from '@catenary/contracts'
import { canEditRecord, canExecuteRecord, canViewRecord, type RecordSubject } from '../records/records.ts'

/** Its owner, and admins what they can see (D14). */
export function canDeletePrompt(user: User | null, prompt: RecordSubject): boolean {
  return user !== null && canViewRecord(user, prompt) && (prompt.ownerId === user.id || user.role === 'admin')
}

/** People who may delete it decide whether everyone sees it. */
export function canPublishPrompt(user: User | null, prompt: RecordSubject): boolean {
  return canDeletePrompt(user, prompt)
}

export function promptRights(viewer: User | null, prompt: RecordSubject) {
  return {
    canEdit: canEditRecord(viewer, prompt),
    canDelete: canDeletePrompt(viewer, prompt),
    canExecute: canExecuteRecord(viewer, prompt),
  }
}
