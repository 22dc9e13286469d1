import {
  type BestChainSelection,
  COUNT_MAX,
  type CorrectedSelection,
  type ListedSelection,
  type listSelectionsQuery,
  MAX_ID,
  SCORES_LISTED,
  type User,
} from '@catenary/contracts'
import { nanosToUsd } from '@catenary/domain'
import type * as z from 'zod'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import {
  countUpTo,
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../list-page.ts'
import type { ChainsService } from '../chains/chains.ts'
import {
  correctSelection,
  countSelections,
  createSelection,
  findOptionalSelection,
  listSelections,
  type NewSelection,
  type SelectionRow,
} from './selections.repository.ts'

const CURSOR = defineCursor({ list: 'selections', position: cursorPosition.id })

export interface SelectionsDeps {
  db: Database
  chains: Pick<ChainsService, 'requireVisible' | 'addExample'>
}

export type SelectionsService = ReturnType<typeof createSelectionsService>

/** What Best Chain chose, and what it should have been. */
export function createSelectionsService({ db, chains }: SelectionsDeps) {
  async function find({ id, user }: { id: number; user: User }): Promise<SelectionRow> {
    const found = await findOptionalSelection(db, { userId: user.id, id })
    if (found === undefined) throw new AppError('not_found', 'Selection not found')
    return found
  }

  return {
    /** Nothing is kept where the token or the chain was deleted meanwhile: the call goes on. */
    record: (selection: NewSelection): Promise<void> => createSelection(db, selection),

    /** The selections of the person's own tokens, newest first, each with its first scores. Throws `invalid` for a foreign cursor. */
    async list({
      user,
      query,
    }: ListRequest<{ user: User }, z.output<typeof listSelectionsQuery>>): Promise<
      ListPage<ListedSelection>
    > {
      const { cursor, before, limit, tokenId } = query
      const after = CURSOR.read(cursor)
      const of = { userId: user.id, tokenId }
      const from = Math.min(after ?? MAX_ID, before ?? MAX_ID)
      return toPage({
        rows: await listSelections(db, { ...of, before: from, limit: limit + 1 }),
        limit,
        total: after === undefined ? countUpTo(COUNT_MAX, await countSelections(db, of)) : undefined,
        toItem: ({ scoresCount, ...row }) => ({
          ...toSelection(row),
          ...(scoresCount > SCORES_LISTED && { scoresCount }),
        }),
        cursorOf: ({ selection }) => CURSOR.write(selection.id),
      })
    },

    /** With all its scores. */
    find: async (wanted: { id: number; user: User }): Promise<BestChainSelection> =>
      toSelection(await find(wanted)),

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
  const { userId: _user, apiTokenId, costNanos, savedNanos: _saved, correctedChainId, ...rest } = selection
  const { createdAt, executionId: _run, ...kept } = rest
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
