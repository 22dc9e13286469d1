import type { BestChainSelection, CorrectedSelection, User } from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { ChainsService } from '../chains/chains.service.ts'
import { correctSelection, listSelections, type SelectionRow } from './best-chain.repository.ts'

interface SelectionsDeps {
  db: Database
  chains: Pick<ChainsService, 'requireVisible' | 'addExample'>
}

export type SelectionsService = ReturnType<typeof createSelectionsService>

/** What Best Chain chose, and what it should have been. */
export function createSelectionsService({ db, chains }: SelectionsDeps) {
  async function find({ id, user }: { id: number; user: User }): Promise<SelectionRow> {
    const [found] = await listSelections(db, { userId: user.id, id, limit: 1 })
    if (found === undefined) throw new AppError('not_found', 'Selection not found')
    return found
  }

  return {
    /** Of one's own tokens, newest first. */
    async list({
      user,
      query,
    }: {
      user: User
      query: { tokenId?: number | undefined; before?: number | undefined; limit: number }
    }): Promise<BestChainSelection[]> {
      return (await listSelections(db, { userId: user.id, ...query })).map(toSelection)
    },

    /** The request becomes an example of the chain that it should have been, if the person may edit that chain (D45). */
    async correct({
      id,
      chainId,
      user,
    }: {
      id: number
      chainId: number
      user: User
    }): Promise<CorrectedSelection> {
      const { selection } = await find({ id, user })
      await chains.requireVisible({ id: chainId, user })
      const example = await db.transaction(async (tx) => {
        await correctSelection(tx, { id, chainId })
        return chains.addExample(tx, { id: chainId, user, request: selection.request })
      })
      return { selection: toSelection(await find({ id, user })), example }
    },
  }
}

function toSelection({ selection, tokenName, runId, correctedName }: SelectionRow): BestChainSelection {
  const { apiTokenId, costNanos, correctedChainId, executionId: _, createdAt, ...kept } = selection
  return {
    ...kept,
    tokenId: apiTokenId,
    tokenName,
    executionId: runId,
    costUsd: nanosToUsd(costNanos),
    correctedTo:
      correctedChainId === null ? null : { chainId: correctedChainId, chainName: correctedName ?? '' },
    createdAt: createdAt.toISOString(),
  }
}
