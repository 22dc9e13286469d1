import type { Share, User } from '@catenary/contracts'
import type { Transaction } from '../../../db/executor.ts'
import { AppError, fieldError } from '../../../errors.ts'
import { listByUsernames } from '../../accounts/accounts.ts'
import type { RecordKey } from '../record-port.ts'
import type { RecordsDeps } from '../records-deps.ts'
import { insertSharesEvent, listShareRows, replaceShares } from '../shares.repository.ts'

interface Wanted extends RecordKey {
  user: User
}

/** By username; for those who may edit the record. */
export async function listShares({ db, ports }: RecordsDeps, { kind, id, user }: Wanted): Promise<Share[]> {
  const { canEdit } = await ports[kind].findVisible({ db }, { id, user })
  if (!canEdit) throw new AppError('forbidden', `You may not see whom this ${kind} is shared with`)
  return listShareRows(db, { kind, id })
}

/** The whole new list: who is not in it loses access at once. */
export function saveShares(
  deps: RecordsDeps,
  { kind, id, user, shares }: Wanted & { shares: Share[] },
): Promise<Share[]> {
  return deps.db.transaction(async (tx) => {
    const { owner, canShare } = await deps.ports[kind].openForChange({ db: tx }, { id, user })
    if (!canShare) throw new AppError('forbidden', `Only the owner may change who sees this ${kind}`)
    await replaceShares(tx, { kind, id, shares: await toRows(tx, { owner, shares }) })
    await deps.ports[kind].touch({ db: tx }, id)
    const saved = await listShareRows(tx, { kind, id })
    await insertSharesEvent(tx, { kind, id, actorId: user.id, shares: saved })
    return saved
  })
}

async function toRows(tx: Transaction, { owner, shares }: { owner: string; shares: Share[] }) {
  const roles = new Map(shares.map(({ username, role }) => [username.toLowerCase(), role]))
  if (roles.size < shares.length) throw fieldError('shares', 'List each person once')
  if (roles.has(owner.toLowerCase())) throw fieldError('shares', 'The owner already has access')
  const people = await listByUsernames({ db: tx }, [...roles.keys()])
  const known = new Map(people.map(({ id, username }) => [username.toLowerCase(), id]))
  const unknown = shares.flatMap(({ username }) => (known.has(username.toLowerCase()) ? [] : [username]))
  if (unknown.length > 0) throw fieldError('shares', `There is no account named ${unknown.join(', ')}`)
  return [...roles].map(([username, role]) => ({ userId: known.get(username) ?? 0, role }))
}
