import type { RunSight } from '@catenary/contracts'

/** Everyone who can read the answer. */
export function canRateRun(access: RunSight): boolean {
  return access === 'own' || access === 'texts'
}

/** Each sees their own rating; who started the run sees what others think of it. */
export function canSeeOthersRatings(access: RunSight): boolean {
  return access === 'own'
}
