import {
  HAND_OVER_DAYS,
  type HandOver,
  type KeptRight,
  type RecordOwner,
  type User,
} from '@catenary/contracts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import {
  cursorPosition,
  defineCursor,
  type ListPage,
  type ListRequest,
  toPage,
} from '../../platform/list-page.ts'
import { recordActivity } from '../activity/activity.ts'
import { canShareRecord } from '../records/records.ts'
import {
  countHandOvers,
  deleteHandOver,
  deletePastHandOvers,
  findOptionalHandOver,
  findOptionalOwned,
  findOptionalRecipient,
  type HandOverRow,
  listHandOverRows,
  lockOwned,
  type OwnedKey,
  replaceHandOver,
} from './hand-overs.sql.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const CURSOR = defineCursor({ list: 'hand-overs', position: cursorPosition.id })

export interface ForPerson extends OwnedKey {
  user: User
}

/** What was offered since then still waits for an answer. */
const since = ({ now }: Pick<Context, 'now'>): Date => new Date(now().getTime() - HAND_OVER_DAYS * DAY_MS)

const NOT_FOUND = { chain: 'Chain not found', prompt: 'Prompt not found', variable: 'Variable not found' }

export const deleteEndedOffers = (ctx: Context): Promise<number> =>
  deletePastHandOvers(ctx.db, { since: since(ctx) })

export async function listHandOvers(
  ctx: Context,
  { user, query: { limit, cursor } }: ListRequest<{ user: User }>,
): Promise<ListPage<HandOver>> {
  const { db } = ctx
  const listed = { userId: user.id, since: since(ctx) }
  const before = CURSOR.read(cursor)
  return toPage({
    rows: await listHandOverRows(db, { ...listed, before, limit: limit + 1 }),
    limit,
    total: before === undefined ? { count: await countHandOvers(db, listed) } : undefined,
    toItem: (row) => toHandOver(row, user),
    cursorOf: ({ id }) => CURSOR.write(id),
  })
}

export async function readOwner(ctx: Context, { kind, id, user }: ForPerson): Promise<RecordOwner> {
  const found = await findOptionalOwned(ctx.db, { kind, id, viewerId: user.id })
  const offer = await findHandOver(ctx, { kind, id, user })
  const isTo = offer?.userId === user.id
  if (found === undefined || !(found.canView || isTo)) throw new AppError('not_found', NOT_FOUND[kind])
  const isShown = isTo || found.ownerId === user.id || user.role === 'admin'
  return { owner: found.owner, handOver: offer && isShown ? toHandOver(offer, user) : null }
}

export function findHandOver(
  ctx: Context<Executor>,
  { kind, id, user }: ForPerson,
): Promise<HandOverRow | undefined> {
  return findOptionalHandOver(ctx.db, { kind, id, viewerId: user.id, since: since(ctx) })
}

interface Offer extends ForPerson {
  username: string
  keep: KeptRight
}

/** It is in force once the other has accepted it. */
export function offerOwnership(ctx: Context, { username, keep, ...of }: Offer): Promise<RecordOwner> {
  const { kind, id, user } = of
  return transaction(ctx, async (ctx) => {
    const { ownerId } = await openOwned(ctx, of)
    if (!canShareRecord(user, { ownerId })) {
      throw new AppError('forbidden', `Only the owner may offer this ${kind} to another person`)
    }
    const to = await findOptionalRecipient(ctx.db, username)
    if (to === undefined) throw fieldError('username', `There is no account named ${username}`)
    if (to.id === user.id) throw fieldError('username', `This ${kind} is yours already`)
    await replaceHandOver(ctx.db, { kind, id, ownerId, userId: to.id, keep, createdAt: ctx.now() })
    const after = { to: to.id, keep }
    await recordActivity(ctx, { kind: `${kind}.owner_offered`, object: kind, id, after })
    return readOwner(ctx, of)
  })
}

/** Taken back by its owner, or declined by whom it is offered to. */
export function endOffer(ctx: Context, of: ForPerson): Promise<void> {
  const { kind, id, user } = of
  return transaction(ctx, async (ctx) => {
    const offer = await lockHandOver(ctx, of)
    const isTo = offer?.userId === user.id
    const { ownerId } = isTo ? offer : await openOwned(ctx, of)
    if (!isTo && !canShareRecord(user, { ownerId })) {
      throw new AppError('forbidden', `Only the owner may take back an offer of this ${kind}`)
    }
    if (offer === undefined) throw new AppError('not_found', `This ${kind} is not offered to anyone`)
    await deleteHandOver(ctx.db, of)
    const before = { to: offer.userId, keep: offer.keep }
    await recordActivity(ctx, { kind: `${kind}.owner_offer_ended`, object: kind, id, ownerId, before })
  })
}

/** As it stands once nobody else can answer it. */
export async function lockHandOver(
  ctx: Context<Transaction>,
  of: ForPerson,
): Promise<HandOverRow | undefined> {
  await lockOwned(ctx.db, of)
  return findHandOver(ctx, of)
}

async function openOwned(ctx: Context<Transaction>, { kind, id, user }: ForPerson) {
  await lockOwned(ctx.db, { kind, id })
  const found = await findOptionalOwned(ctx.db, { kind, id, viewerId: user.id })
  if (!found?.canView) throw new AppError('not_found', NOT_FOUND[kind])
  return found
}

function toHandOver({ ownerId, userId, recordId, createdAt, ...row }: HandOverRow, user: User): HandOver {
  return {
    ...row,
    id: recordId,
    offeredAt: createdAt.toISOString(),
    endsAt: new Date(createdAt.getTime() + HAND_OVER_DAYS * DAY_MS).toISOString(),
    canAccept: userId === user.id,
    canTakeBack: ownerId === user.id,
  }
}
