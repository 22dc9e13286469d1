import type { Chain, ShareRole } from '@catenary/contracts'

/** A chain as stored, and the viewer's role in its shares. */
export type ChainRecord = Omit<Chain, 'canView' | 'canEdit' | 'canDelete' | 'canExecute' | 'steps'> & {
  ownerId: number
  runsOpening: number
  shareRole: ShareRole | null
}

/** What every list reads of it. */
export type BriefChainRecord = Omit<ChainRecord, 'exampleRequests'>
