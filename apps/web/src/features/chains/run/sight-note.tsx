import type { RunSight } from '@catenary/contracts'

const SIGHTS = {
  masked: 'Values of private variables are masked.',
  figures: 'You see the figures of this run, not its texts.',
}

/** What is kept back of another person's run (D42). */
export function SightNote({ sight }: { sight: RunSight }) {
  return sight === 'own' ? null : <p className="text-xs text-text-3">{SIGHTS[sight]}</p>
}
