import type { Fill, PromptOffer, User } from '@catenary/contracts'
import { toFills } from '../../consent.ts'
import { AppError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { listAskedFills, listUnfilled } from '../fills/fills.ts'
import {
  countPromptOffers,
  createPromptAcceptances,
  deletePromptAcceptance,
  listPromptOffers,
  lockOfferedPrompts,
} from './prompt-offers.sql.ts'

const CURSOR = defineCursor({ list: 'prompt-offers', position: cursorPosition.id })

/** Others' prompts are only offered to tokens for all prompts, until their person accepts them (D60). Newest first, accepted or not. */
export async function listOffers(
  { db }: Context,
  { user, query }: ListRequest<{ user: User }>,
): Promise<ListPage<PromptOffer>> {
  const { limit, cursor } = query
  const before = CURSOR.read(cursor)
  const offers = await listPromptOffers(db, { userId: user.id, before, limit: limit + 1 })
  const unfilled = await listUnfilled(db, {
    userId: user.id,
    of: offers.map(({ promptId, fills }) => ({ promptIds: [promptId], fills: fills ?? [] })),
  })
  return toPage({
    rows: offers.map((offer, index) => ({ ...offer, asksToFill: unfilled[index] ?? [] })),
    limit,
    total: before === undefined ? { count: await countPromptOffers(db, user.id) } : undefined,
    toItem: ({ isPublic, acceptedAt, fills, ...offer }): PromptOffer => ({
      ...offer,
      fills: acceptedAt === null ? null : fills,
      via: isPublic ? 'public' : 'share',
      acceptedAt: acceptedAt?.toISOString() ?? null,
    }),
    cursorOf: ({ promptId }) => CURSOR.write(promptId),
  })
}

interface Acceptance {
  promptIds: number[]
  /** What may be filled in; absent: what the texts hold now. */
  fills?: Fill[] | undefined
  user: User
}

/** All of them, or none: throws `not_found` unless the person sees each. Their own need no acceptance. */
export function acceptOffers(ctx: Context, { promptIds, fills, user }: Acceptance): Promise<void> {
  return transaction(ctx, async ({ db }) => {
    const ids = [...new Set(promptIds)]
    const visible = await lockOfferedPrompts(db, { ids, userId: user.id })
    if (visible.length < ids.length) throw promptNotFound()
    const others = visible.filter(({ ownerId }) => ownerId !== user.id).map(({ id }) => id)
    const fillsOf = async (id: number) =>
      toFills(fills ?? (await listAskedFills(db, { userId: user.id, promptIds: [id] })))
    await createPromptAcceptances(db, { ids: others, userId: user.id, fillsOf })
  })
}

/** Throws `not_found` unless they had accepted it. */
export async function takeBackAcceptance(
  { db }: Context,
  { id, user }: { id: number; user: User },
): Promise<void> {
  if (!(await deletePromptAcceptance(db, { id, userId: user.id }))) throw promptNotFound()
}

const promptNotFound = () => new AppError('not_found', 'Prompt not found')
