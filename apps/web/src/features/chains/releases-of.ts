import type { Chain } from '@catenary/contracts'
import { takesInput } from '@catenary/domain'
import { stepsAsRun } from './steps/step-as-run.ts'

export function releasesOf(chain: Pick<Chain, 'version' | 'labels'> | undefined) {
  return chain && { latest: chain.version, labels: chain.labels }
}

export function scheduledOf(chain: Chain) {
  return {
    name: chain.name,
    takesInput: takesInput(stepsAsRun(chain.steps)),
    releases: releasesOf(chain),
    runVisibility: chain,
  }
}
