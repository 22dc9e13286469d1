import type { ChainOffer, Fill, User } from '@catenary/contracts'
import { toFills } from '../../consent.ts'
import { AppError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { listAskedFills, listUnfilled } from '../fills/fills.ts'
import {
  countOffers,
  createAcceptances,
  deleteAcceptance,
  listOffers,
  lockVisibleChains,
} from './chain-offers.sql.ts'

const CURSOR = defineCursor({ list: 'chain-offers', position: cursorPosition.id })

/** Others' chains are only offered to tokens for all chains, until their person accepts them (D60). Newest first, accepted or not. */
export async function listChainOffers(
  { db }: Context,
  { user, query }: ListRequest<{ user: User }>,
): Promise<ListPage<ChainOffer>> {
  const { limit, cursor } = query
  const before = CURSOR.read(cursor)
  const offers = await listOffers(db, { userId: user.id, before, limit: limit + 1 })
  const unfilled = await listUnfilled(db, {
    userId: user.id,
    of: offers.map(({ chainId, fills }) => ({ chainIds: [chainId], fills: fills ?? [] })),
  })
  return toPage({
    rows: offers.map((offer, index) => ({ ...offer, asksToFill: unfilled[index] ?? [] })),
    limit,
    total: before === undefined ? { count: await countOffers(db, user.id) } : undefined,
    toItem: ({ isPublic, acceptedAt, fills, ...offer }): ChainOffer => ({
      ...offer,
      fills: acceptedAt === null ? null : fills,
      via: isPublic ? 'public' : 'share',
      acceptedAt: acceptedAt?.toISOString() ?? null,
    }),
    cursorOf: ({ chainId }) => CURSOR.write(chainId),
  })
}

interface Acceptance {
  chainIds: number[]
  /** What may be filled in; absent: what the texts hold now. */
  fills?: Fill[] | undefined
  user: User
}

/** All of them, or none: throws `not_found` unless the person sees each. Their own need no acceptance. */
export function acceptChains(ctx: Context, { chainIds, fills, user }: Acceptance): Promise<void> {
  return transaction(ctx, async ({ db }) => {
    const ids = [...new Set(chainIds)]
    const visible = await lockVisibleChains(db, { ids, userId: user.id })
    if (visible.length < ids.length) throw chainNotFound()
    const others = visible.filter(({ ownerId }) => ownerId !== user.id).map(({ id }) => id)
    const fillsOf = async (id: number) =>
      toFills(fills ?? (await listAskedFills(db, { userId: user.id, chainIds: [id] })))
    await createAcceptances(db, { ids: others, userId: user.id, fillsOf })
  })
}

/** Throws `not_found` unless they had accepted it. */
export async function takeBackChain(
  { db }: Context,
  { id, user }: { id: number; user: User },
): Promise<void> {
  if (!(await deleteAcceptance(db, { id, userId: user.id }))) throw chainNotFound()
}

const chainNotFound = () => new AppError('not_found', 'Chain not found')
