import type { User } from '@catenary/contracts'
import type { RecordPort, RecordView } from '../records/records.ts'
import type { ChainAccess } from './chain-access.service.ts'
import { endLostAcceptances } from './chain-offers.repository.ts'
import type { ChainRecord } from './chain-record.ts'
import { canEditChain, canShareChain } from './chains.policy.ts'
import { updateChain } from './chains.repository.ts'

/** Chains as records. */
export function createChainPort({
  findVisible,
  openForChange,
}: Pick<ChainAccess, 'findVisible' | 'openForChange'>): RecordPort {
  return {
    findVisible: async (executor, wanted) => toView(await findVisible(executor, wanted), wanted.user),
    openForChange: async (tx, change) => toView(await openForChange(tx, change), change.user),
    touch: async (tx, id) => {
      await endLostAcceptances(tx, id)
      await updateChain(tx, { id })
    },
  }
}

function toView(chain: ChainRecord, user: User | null): RecordView {
  const { id, owner, ownerId, version } = chain
  const rights = { canEdit: canEditChain(user, chain), canShare: canShareChain(user, chain) }
  return { id, owner, ownerId, version, canView: true, ...rights }
}
