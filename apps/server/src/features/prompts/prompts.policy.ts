import type { User } from '@catenary/contracts'

interface Subject {
  ownerId: number
  isPublic: boolean
}

/** Own and public ones; an admin's rights do not open other people's private prompts (D14). */
export function canSeePrompt(user: User | null, prompt: Subject): boolean {
  return prompt.isPublic || prompt.ownerId === user?.id
}

/** Its owner, and admins what they can see (D14). */
export function canChangePrompt(user: User | null, prompt: Subject): boolean {
  return user !== null && canSeePrompt(user, prompt) && (prompt.ownerId === user.id || user.role === 'admin')
}

/** Whoever is signed in and sees it. */
function canExecutePrompt(user: User | null, prompt: Subject): boolean {
  return user !== null && canSeePrompt(user, prompt)
}

/** What the viewer may do, as a prompt says it. */
export function promptPermissions(viewer: User | null, prompt: Subject) {
  const canChange = canChangePrompt(viewer, prompt)
  return { canEdit: canChange, canDelete: canChange, canExecute: canExecutePrompt(viewer, prompt) }
}
