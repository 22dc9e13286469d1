import type { ChainAccess } from '../chains/chain-access.service.ts'
import { shareableChains } from '../chains/shareable-chains.service.ts'
import { shareablePrompts } from '../prompts/shareable-prompts.service.ts'
import { createSharesService } from './shares.service.ts'

type Deps = Pick<Parameters<typeof createSharesService>[0], 'db' | 'directory'>

/** Of each kind that people share by name. */
export function createShares({ chainAccess, ...deps }: Deps & { chainAccess: ChainAccess }) {
  return {
    chain: createSharesService({ ...deps, records: shareableChains(chainAccess) }),
    prompt: createSharesService({ ...deps, records: shareablePrompts }),
  }
}
