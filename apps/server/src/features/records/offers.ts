import type { ChainOffer, Fill, KeptSend, PromptOffer, RecordKind, User } from '@catenary/contracts'
import { type Context, transaction } from '../../platform/context.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import { listAskedFills, listUnfilled, listUnsent, toSends } from '../fills/fills.ts'
import { toFills } from './consent.ts'
import { recordNotFound } from './find-record.ts'
import {
  countOfferRows,
  deleteAcceptance,
  listOfferRows,
  lockVisibleRecords,
  saveAcceptance,
} from './offers.sql.ts'
import type { RecordKey } from './record-kinds.sql.ts'

const CURSORS = {
  chain: defineCursor({ list: 'chain-offers', position: cursorPosition.id }),
  prompt: defineCursor({ list: 'prompt-offers', position: cursorPosition.id }),
}

interface ForPerson {
  user: User
}

type AnyOffer = Omit<PromptOffer & ChainOffer, 'chainId' | 'chainName' | 'promptId' | 'promptTitle'> & {
  id: number
  name: string
}

const toPromptOffer = ({
  id,
  name,
  description: _,
  sends: __,
  asksToSend: ___,
  ...offer
}: AnyOffer): PromptOffer => ({
  promptId: id,
  promptTitle: name,
  ...offer,
})

const toChainOffer = ({ id, name, isSkill: _, ...offer }: AnyOffer): ChainOffer => ({
  chainId: id,
  chainName: name,
  ...offer,
})

export function listPromptOffers(ctx: Context, wanted: ListRequest<ForPerson>) {
  return listOffers(ctx, { ...wanted, kind: 'prompt', toItem: toPromptOffer })
}

export function listChainOffers(ctx: Context, wanted: ListRequest<ForPerson>) {
  return listOffers(ctx, { ...wanted, kind: 'chain', toItem: toChainOffer })
}

interface Listing<Offer> extends ForPerson {
  kind: RecordKind
  toItem: (offer: AnyOffer) => Offer
}

/** Others' records are only offered to tokens for all of a kind, until their person accepts them (D60). Newest first, accepted or not. */
async function listOffers<Offer>(
  ctx: Context,
  { kind, toItem, user, query }: ListRequest<Listing<Offer>>,
): Promise<ListPage<Offer>> {
  const { db } = ctx
  const { limit, cursor } = query
  const to = { kind, userId: user.id }
  const before = CURSORS[kind].read(cursor)
  const offers = await listOfferRows(db, { ...to, before, limit: limit + 1 })
  const unfilled = await listUnfilled(db, {
    userId: user.id,
    of: offers.map(({ id, fills }) => ({ ...recordsOf(kind, [id]), fills: fills ?? [] })),
  })
  const unsent =
    kind === 'chain'
      ? await listUnsent(ctx, {
          user,
          of: offers.map(({ id, sends }) => ({ chainIds: [id], sends: sends ?? [] })),
        })
      : []
  return toPage({
    rows: offers.map((offer, index) => ({
      ...offer,
      asksToFill: unfilled[index] ?? [],
      asksToSend: unsent[index] ?? [],
    })),
    limit,
    total: before === undefined ? { count: await countOfferRows(db, to) } : undefined,
    toItem: ({ isPublic, acceptedAt, fills, sends, ...offer }) =>
      toItem({
        ...offer,
        fills: acceptedAt === null ? null : fills,
        sends: acceptedAt === null ? null : sends,
        via: isPublic ? 'public' : 'share',
        acceptedAt: acceptedAt?.toISOString() ?? null,
      }),
    cursorOf: ({ id }) => CURSORS[kind].write(id),
  })
}

interface Acceptance extends ForPerson {
  kind: RecordKind
  ids: number[]
  /** What may be filled in; absent: what the texts hold now. */
  fills?: Fill[] | undefined
  /** Where a chain may take private values; absent: where it might before. */
  sends?: KeptSend[] | undefined
}

/** All of them, or none: throws `not_found` unless the person sees each. Their own need no acceptance. */
export function acceptOffers(
  ctx: Context,
  { kind, fills, sends, user, ...wanted }: Acceptance,
): Promise<void> {
  const userId = user.id
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    const ids = [...new Set(wanted.ids)]
    const visible = await lockVisibleRecords(db, { kind, ids, userId })
    if (visible.length < ids.length) throw recordNotFound(kind)
    for (const { id, ownerId } of visible) {
      if (ownerId === userId) continue
      const asked = fills ?? (await listAskedFills(db, { userId, ...recordsOf(kind, [id]) }))
      const going = sends && toSends(sends.filter(({ chainId }) => chainId === id))
      await saveAcceptance(db, { kind, id, userId, fills: toFills(asked), sends: going })
      await recordActivity(ctx, { kind: `${kind}.accepted`, object: kind, id })
    }
  })
}

export function takeBackAcceptance(ctx: Context, { kind, id, user }: RecordKey & ForPerson): Promise<void> {
  return transaction(ctx, async (ctx) => {
    if (!(await deleteAcceptance(ctx.db, { kind, id, userId: user.id }))) throw recordNotFound(kind)
    await recordActivity(ctx, { kind: `${kind}.acceptance_ended`, object: kind, id })
  })
}

const recordsOf = (kind: RecordKind, ids: number[]) =>
  kind === 'chain' ? { chainIds: ids } : { promptIds: ids }
