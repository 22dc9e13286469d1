import type { RunAccessLevel } from '@catenary/contracts'

/** Everyone who can read the answer. */
export function canRateRun(access: RunAccessLevel): boolean {
  return access !== 'figures'
}

/** Each sees their own rating; who started the run sees what others think of it. */
export function canSeeOthersRatings(access: RunAccessLevel): boolean {
  return access === 'own'
}
