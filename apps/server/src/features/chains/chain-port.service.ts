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
  findVisible: async ({ db }, wanted) => toView(await findVisible(db, wanted), wanted.user),
  openForChange: async ({ db }, change) => toView(await openForChange(db, change), change.user),
  touch: async ({ db }, id) => {
    await endLostAcceptances(db, id)
    await updateChainRow(db, { id })
  },
  listVersions: ({ db }, part) => listChainVersions(db, part),
  findVersion: async ({ db }, { user, ...wanted }) => {
    const found = await findOptionalChainVersion(db, wanted)
    return (
      found && {
        ...found,
        steps: found.steps.map((step) => toListedStep(step, { linkedPrompt: null, viewer: user })),
      }
    )
  },
  restoreVersion: ({ db }, change) => restoreChainVersion(db, change),
}

function toView(chain: ChainRecord, user: User | null): RecordView {
  const { id, owner, ownerId, version } = chain
  const rights = { canEdit: canEditChain(user, chain), canShare: canShareChain(user, chain) }
  return { id, owner, ownerId, version, canView: true, ...rights }
}
