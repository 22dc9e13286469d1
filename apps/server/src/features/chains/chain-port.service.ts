import type { User } from '@catenary/contracts'
import type { RecordPort, RecordView } from '../records/records.ts'
import { findVisible, openForChange, toListedStep } from './chain-access.service.ts'
import { endLostAcceptances } from './chain-offers.repository.ts'
import type { ChainRecord } from './chain-record.ts'
import { findOptionalChainVersion, listChainVersions } from './chain-versions.repository.ts'
import { canEditChain, canShareChain } from './chains.policy.ts'
import { updateChainRow } from './chains.repository.ts'
import { restoreChainVersion } from './operations/change-chain.ts'

/** Chains as records. */
export const chainPort: RecordPort<'chain'> = {
  findVisible: async (executor, wanted) => toView(await findVisible(executor, wanted), wanted.user),
  openForChange: async (tx, change) => toView(await openForChange(tx, change), change.user),
  touch: async (tx, id) => {
    await endLostAcceptances(tx, id)
    await updateChainRow(tx, { id })
  },
  listVersions: listChainVersions,
  findVersion: async (executor, { user, ...wanted }) => {
    const found = await findOptionalChainVersion(executor, wanted)
    return (
      found && {
        ...found,
        steps: found.steps.map((step) => toListedStep(step, { linkedPrompt: null, viewer: user })),
      }
    )
  },
  restoreVersion: restoreChainVersion,
}

function toView(chain: ChainRecord, user: User | null): RecordView {
  const { id, owner, ownerId, version } = chain
  const rights = { canEdit: canEditChain(user, chain), canShare: canShareChain(user, chain) }
  return { id, owner, ownerId, version, canView: true, ...rights }
}
