import type { Fill, PromptOffer, User } from '@catenary/contracts'
import { toFills } from '../../consent.ts'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import { cursorPosition, defineCursor, type ListPage, type ListRequest, toPage } from '../../list-page.ts'
import { listAskedFills, listUnfilled } from '../fills/fills.ts'
import {
  countPromptOffers,
  createPromptAcceptances,
  deletePromptAcceptance,
  listPromptOffers,
  lockOfferedPrompts,
} from './prompt-offers.repository.ts'

const CURSOR = defineCursor({ list: 'prompt-offers', position: cursorPosition.id })

export type PromptOffersService = ReturnType<typeof createPromptOffersService>

/** Others' prompts are only offered to tokens for all prompts, until their person accepts them (D60). */
export function createPromptOffersService({ db }: { db: Database }) {
  return {
    /** Newest prompt first, accepted or not. */
    async list({ user, query }: ListRequest<{ user: User }>): Promise<ListPage<PromptOffer>> {
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
    },

    /** All of them, or none: throws `not_found` unless the person sees each. Their own need no acceptance. */
    accept({
      promptIds,
      fills,
      user,
    }: {
      promptIds: number[]
      /** What may be filled in; absent: what the texts hold now. */
      fills?: Fill[] | undefined
      user: User
    }): Promise<void> {
      return db.transaction(async (tx) => {
        const ids = [...new Set(promptIds)]
        const visible = await lockOfferedPrompts(tx, { ids, userId: user.id })
        if (visible.length < ids.length) throw promptNotFound()
        const others = visible.filter(({ ownerId }) => ownerId !== user.id).map(({ id }) => id)
        const fillsOf = async (id: number) =>
          toFills(fills ?? (await listAskedFills(tx, { userId: user.id, promptIds: [id] })))
        await createPromptAcceptances(tx, { ids: others, userId: user.id, fillsOf })
      })
    },

    /** Throws `not_found` unless they had accepted it. */
    async takeBack({ id, user }: { id: number; user: User }): Promise<void> {
      if (!(await deletePromptAcceptance(db, { id, userId: user.id }))) throw promptNotFound()
    },
  }
}

const promptNotFound = () => new AppError('not_found', 'Prompt not found')
