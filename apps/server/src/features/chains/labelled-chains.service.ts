import type { Labelled } from '../version-labels/version-labels.service.ts'
import type { ChainAccess } from './chain-access.service.ts'
import type { ChainRecord } from './chain-record.ts'
import { canEditChain } from './chains.policy.ts'

/** Chains, as labels point to their versions. */
export function labelledChains({
  findVisible,
  openForChange,
}: Pick<ChainAccess, 'findVisible' | 'openForChange'>): Labelled<ChainRecord> {
  return { kind: 'chain', findVisible, openForChange, canEdit: canEditChain }
}
