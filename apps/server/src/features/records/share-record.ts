import type { Share, User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { listByUsernames } from '../accounts/accounts.ts'
import { findRecord, openRecord } from './find-record.ts'
import { endLostAcceptances } from './offers.sql.ts'
import type { RecordKey } from './record-kinds.sql.ts'
import { touchRecord } from './records.sql.ts'
import { insertSharesEvent, listShareRows, replaceShares } from './shares.sql.ts'

interface Wanted extends RecordKey {
  user: User
}

export async function listShares(ctx: Context, { kind, id, user }: Wanted): Promise<Share[]> {
  const { canEdit } = await findRecord(ctx, { kind, id, user })
  if (!canEdit) throw new AppError('forbidden', `You may not see whom this ${kind} is shared with`)
  return listShareRows(ctx.db, { kind, id })
}

/** The whole new list: who is not in it loses access at once. */
export function saveShares(
  ctx: Context,
  { kind, id, user, shares }: Wanted & { shares: Share[] },
): Promise<Share[]> {
  return transaction(ctx, async (ctx) => {
    const { owner, canShare } = await openRecord(ctx, { kind, id, user })
    if (!canShare) throw new AppError('forbidden', `Only the owner may change who sees this ${kind}`)
    await replaceShares(ctx.db, { kind, id, people: await toRows(ctx, { owner, shares }) })
    await endLostAcceptances(ctx.db, { kind, id })
    await touchRecord(ctx.db, { kind, id })
    const saved = await listShareRows(ctx.db, { kind, id })
    await insertSharesEvent(ctx.db, { kind, id, actorId: user.id, shares: saved })
    return saved
  })
}

async function toRows(ctx: Context<Transaction>, { owner, shares }: { owner: string; shares: Share[] }) {
  const roles = new Map(shares.map(({ username, role }) => [username.toLowerCase(), role]))
  if (roles.size < shares.length) throw fieldError('shares', 'List each person once')
  if (roles.has(owner.toLowerCase())) throw fieldError('shares', 'The owner already has access')
  const people = await listByUsernames(ctx, [...roles.keys()])
  const known = new Map(people.map(({ id, username }) => [username.toLowerCase(), id]))
  const unknown = shares.flatMap(({ username }) => (known.has(username.toLowerCase()) ? [] : [username]))
  if (unknown.length > 0) throw fieldError('shares', `There is no account named ${unknown.join(', ')}`)
  return [...roles].map(([username, role]) => ({ userId: known.get(username) ?? 0, role }))
}
