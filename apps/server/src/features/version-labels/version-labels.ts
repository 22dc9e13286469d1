import type { ChainAccess } from '../chains/chain-access.service.ts'
import { labelledChains } from '../chains/labelled-chains.service.ts'
import { labelledPrompts } from '../prompts/labelled-prompts.service.ts'
import { createVersionLabelsService } from './version-labels.service.ts'

type Deps = Pick<Parameters<typeof createVersionLabelsService>[0], 'db' | 'gate'>

/** Of each kind whose versions have labels. */
export function createVersionLabels({ chainAccess, ...deps }: Deps & { chainAccess: ChainAccess }) {
  return {
    chain: createVersionLabelsService({ ...deps, records: labelledChains(chainAccess) }),
    prompt: createVersionLabelsService({ ...deps, records: labelledPrompts }),
  }
}
