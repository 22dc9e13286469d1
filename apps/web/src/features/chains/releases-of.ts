import type { Chain } from '@catenary/contracts'
import { takesInput } from '@catenary/domain'
import { stepsAsRun } from './steps/step-as-run.ts'

/** What schedules and tokens can run of a chain; undefined until the chain is known. */
export function releasesOf(chain: Pick<Chain, 'version' | 'labels'> | undefined) {
  return chain && { latest: chain.version, labels: chain.labels }
}

/** A chain as its schedules know it. */
export function scheduledOf(chain: Chain) {
  return {
    name: chain.name,
    takesInput: takesInput(stepsAsRun(chain.steps)),
    releases: releasesOf(chain),
    runVisibility: chain,
  }
}
