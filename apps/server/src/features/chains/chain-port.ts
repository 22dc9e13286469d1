import type { User } from '@catenary/contracts'
import { endLostAcceptances, type RecordPort, type RecordView } from '../records/records.ts'
import { findVisible, openForChange, toListedStep } from './chain-access.ts'
import type { ChainRecord } from './chain-rows.sql.ts'
import { findOptionalChainVersion, listChainVersions } from './chain-versions.sql.ts'
import { canEditChain, canShareChain } from './chains.policy.ts'
import { updateChainRow } from './chains.sql.ts'
import { restoreChainVersion } from './change-chain.ts'

/** Chains as records. */
export const chainPort: RecordPort<'chain'> = {
  findVisible: async (ctx, wanted) => toView(await findVisible(ctx, wanted), wanted.user),
  openForChange: async (ctx, change) => toView(await openForChange(ctx, change), change.user),
  touch: async ({ db }, id) => {
    await endLostAcceptances(db, { kind: 'chain', id })
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
  restoreVersion: restoreChainVersion,
}

function toView(chain: ChainRecord, user: User | null): RecordView {
  const { id, owner, ownerId, version } = chain
  const rights = { canEdit: canEditChain(user, chain), canShare: canShareChain(user, chain) }
  return { id, owner, ownerId, version, canView: true, ...rights }
}
