import type { Prompt } from '@catenary/contracts'

/**
 * Who may change a prompt reads any version of it; who only sees it reads the current one and those with a label, as
 * others may be from before it was shown to them.
 */
export function canReadVersion(prompt: Pick<Prompt, 'canEdit'>, version: { labels: string[] }): boolean {
  return prompt.canEdit || version.labels.length > 0
}

/** Whose aliases a prompt has is its owner's alone to say: code elsewhere runs what they name. */
export function canNamePrompt(prompt: { ownerId: number }, userId: number): boolean {
  return prompt.ownerId === userId
}
