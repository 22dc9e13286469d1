import { LATEST_LABEL } from '@catenary/contracts'
import type { Grant } from '../../tokens/tokens.ts'

/** The label whose version of a chain runs, unless the token names others. */
const DEFAULT_LABEL = 'production'

/**
 * Which version of a prompt a token serves: of the asked label, else of its first label that the prompt has; undefined
 * for `production`, else the newest. Null: none that it serves.
 */
export function choosePromptVersion(
  { labels }: Pick<Grant, 'labels'>,
  { has, asked }: { has: string[]; asked?: string | undefined },
): { label: string } | undefined | null {
  if (labels.length === 0) return asked === undefined ? undefined : { label: asked }
  const served = labels.filter((label) => label === LATEST_LABEL || has.includes(label))
  const chosen = asked === undefined ? served[0] : served.find((label) => label === asked)
  return chosen === undefined ? null : { label: chosen }
}

/** The same of a chain: null for the chain as it is. */
export function chooseChainLabel({ labels }: Pick<Grant, 'labels'>, has: string[]): string | null {
  const wanted = labels.length === 0 ? [DEFAULT_LABEL] : labels
  const chosen = wanted.find((label) => label === LATEST_LABEL || has.includes(label))
  return chosen === undefined || chosen === LATEST_LABEL ? null : chosen
}
