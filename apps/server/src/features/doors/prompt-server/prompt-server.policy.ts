import type { Prompt } from '@catenary/contracts'

/**
 * Editors of a prompt read any version; other viewers read the current one and labelled ones, as older ones may
 * predate its sharing.
 */
export function canReadVersion(prompt: Pick<Prompt, 'canEdit'>, version: { labels: string[] }): boolean {
  return prompt.canEdit || version.labels.length > 0
}
