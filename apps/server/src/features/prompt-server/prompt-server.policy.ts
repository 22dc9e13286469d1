import type { Prompt } from '@catenary/contracts'

/**
 * Editors of a prompt read any version; other viewers read the current one and labelled ones, as older ones may
 * predate its sharing.
 */
export function canReadVersion(prompt: Pick<Prompt, 'canEdit'>, version: { labels: string[] }): boolean {
  return prompt.canEdit || version.labels.length > 0
}

/** Only its owner decides a prompt's aliases: code elsewhere runs what they name. */
export function canNamePrompt(prompt: { ownerId: number }, userId: number): boolean {
  return prompt.ownerId === userId
}
