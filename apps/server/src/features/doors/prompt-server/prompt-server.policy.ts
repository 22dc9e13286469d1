import type { Prompt } from '@catenary/contracts'

/** Other viewers read the current version and labelled ones alone: older ones may predate the prompt's sharing. */
export function canReadVersion(prompt: Pick<Prompt, 'canEdit'>, version: { labels: string[] }): boolean {
  return prompt.canEdit || version.labels.length > 0
}
