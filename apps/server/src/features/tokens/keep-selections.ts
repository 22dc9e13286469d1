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
import { AppError } from '../../errors.ts'
import { type Context, type SqlContext, transaction } from '../../platform/context.ts'
import {
  countUpTo,
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import { addExample, requireVisibleChain } from '../chains/chains.ts'
import {
  countSelections,
  findOptionalSelection,
  insertSelection,
  listSelectionRows,
  type NewSelection,
  type SelectionRow,
  updateCorrection,
} from './selections.sql.ts'

const CURSOR = defineCursor({ list: 'selections', position: cursorPosition.id })

interface Wanted {
  id: number
  user: User
}

/** Nothing is kept where the token or the chain was deleted meanwhile: the call goes on. */
export const recordSelection = ({ db }: SqlContext, selection: NewSelection): Promise<void> =>
  insertSelection(db, selection)

/** The selections of the person's own tokens, newest first, each with its first scores. Throws `invalid` for a foreign cursor. */
export async function listSelections(
  { db }: SqlContext,
  { user, query }: ListRequest<{ user: User }, z.output<typeof listSelectionsQuery>>,
): Promise<ListPage<ListedSelection>> {
  const { cursor, before, limit, tokenId } = query
  const after = CURSOR.read(cursor)
  const of = { userId: user.id, tokenId }
  const from = Math.min(after ?? MAX_ID, before ?? MAX_ID)
  return toPage({
    rows: await listSelectionRows(db, { ...of, before: from, limit: limit + 1 }),
    limit,
    total: after === undefined ? countUpTo(COUNT_MAX, await countSelections(db, of)) : undefined,
    toItem: ({ scoresCount, ...row }) => ({
      ...toSelection(row),
      ...(scoresCount > SCORES_LISTED && { scoresCount }),
    }),
    cursorOf: ({ selection }) => CURSOR.write(selection.id),
  })
}

export async function findSelection(ctx: SqlContext, wanted: Wanted): Promise<BestChainSelection> {
  return toSelection(await requireSelection(ctx, wanted))
}

async function requireSelection({ db }: SqlContext, { id, user }: Wanted): Promise<SelectionRow> {
  const found = await findOptionalSelection(db, { userId: user.id, id })
  if (found === undefined) throw new AppError('not_found', 'Selection not found')
  return found
}

export async function correctSelection(
  ctx: Context,
  { chainId, ...wanted }: Wanted & { chainId: number },
): Promise<CorrectedSelection> {
  const { id, user } = wanted
  const { selection } = await requireSelection(ctx, wanted)
  await requireVisibleChain(ctx, { id: chainId, user })
  const example = await transaction(ctx, async (ctx) => {
    await updateCorrection(ctx.db, { id, chainId })
    const { request } = selection
    await recordActivity(ctx, { kind: 'chain.selection_corrected', object: 'chain', id: chainId })
    return addExample(ctx, { id: chainId, user, request })
  })
  return { selection: await findSelection(ctx, wanted), example }
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
