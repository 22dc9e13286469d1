import type { Shareable } from '../shares/shares.service.ts'
import type { ChainAccess } from './chain-access.service.ts'
import { endLostAcceptances } from './chain-offers.repository.ts'
import type { ChainRecord } from './chain-record.ts'
import { canEditChain, canShareChain } from './chains.policy.ts'
import { updateChain } from './chains.repository.ts'

/** Chains, as people share them by name. */
export function shareableChains({
  findVisible,
  openForChange,
}: Pick<ChainAccess, 'findVisible' | 'openForChange'>): Shareable<ChainRecord> {
  return {
    ...{ kind: 'chain', findVisible, openForChange },
    canEdit: canEditChain,
    canShare: canShareChain,
    touch: async (tx, id) => {
      await endLostAcceptances(tx, id)
      await updateChain(tx, { id })
    },
  }
}
