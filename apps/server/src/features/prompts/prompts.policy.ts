import type { ShareRole, User } from '@catenary/contracts'

interface Subject {
  ownerId: number
  isPublic: boolean
  /** The viewer's role in the prompt's shares; it counts whether or not the prompt is public. */
  shareRole: ShareRole | null
}

/** Own, public, and shared with them; an admin's rights do not open other people's private prompts (D14). */
export function canSeePrompt(user: User | null, prompt: Subject): boolean {
  return prompt.isPublic || prompt.ownerId === user?.id || (user !== null && prompt.shareRole !== null)
}

/** Its owner, editors, and admins what they can see (D14). */
export function canChangePrompt(user: User | null, prompt: Subject): boolean {
  return canDeletePrompt(user, prompt) || (user !== null && prompt.shareRole === 'editor')
}

/** Its owner, and admins what they can see (D14). */
export function canDeletePrompt(user: User | null, prompt: Subject): boolean {
  return user !== null && canSeePrompt(user, prompt) && (prompt.ownerId === user.id || user.role === 'admin')
}

/** People who may delete it decide whether everyone sees it. */
export function canPublishPrompt(user: User | null, prompt: Subject): boolean {
  return canDeletePrompt(user, prompt)
}

/** Only the owner shares it by name. */
export function canSharePrompt(user: User | null, prompt: Subject): boolean {
  return prompt.ownerId === user?.id
}

/** Only the owner: a name that is taken would tell of the owner's other prompts. */
export function canNamePrompt(user: User, prompt: { ownerId: number }): boolean {
  return prompt.ownerId === user.id
}

/** Every signed-in person who sees it. */
function canExecutePrompt(user: User | null, prompt: Subject): boolean {
  return user !== null && canSeePrompt(user, prompt)
}

/** What the viewer may do, as a prompt says it. */
export function promptPermissions(viewer: User | null, prompt: Subject) {
  return {
    canEdit: canChangePrompt(viewer, prompt),
    canDelete: canDeletePrompt(viewer, prompt),
    canExecute: canExecutePrompt(viewer, prompt),
  }
}
