import type { RunAccessLevel } from '@catenary/contracts'

/** Everyone who can read the answer. */
export function canRateRun(sight: RunAccessLevel): boolean {
  return sight !== 'figures'
}

/** Each sees their own rating; who started the run sees what others think of it. */
export function canSeeOthersRatings(sight: RunAccessLevel): boolean {
  return sight === 'own'
}
