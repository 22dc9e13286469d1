import type { RunSight } from '@catenary/contracts'

/** Who reads the answer: who sees a run in figures alone has nothing to rate. */
export function canRateRun(sight: RunSight): boolean {
  return sight !== 'figures'
}

/** Each sees their own rating; who started the run sees what others think of it. */
export function canSeeOthersRatings(sight: RunSight): boolean {
  return sight === 'own'
}
