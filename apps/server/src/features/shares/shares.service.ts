import type { Share, SharedKind, User } from '@catenary/contracts'
import type { Database, Executor, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { Change } from '../../record-access.ts'
import type { UserDirectory } from '../accounts/user-directory.service.ts'
import { createSharesEvent, listShares, replaceShares } from './shares.repository.ts'

export type SharesService = ReturnType<typeof createSharesService>

/** What is asked of a kind of record that people share. */
export interface Shareable<Stored extends { owner: string }> {
  kind: SharedKind
  /** Throws `not_found` for what the person can't see. */
  findVisible: (executor: Executor, wanted: { id: number; user: User }) => Promise<Stored>
  /** Throws unless the person may change it; kept from other writers until the transaction ends. */
  openForChange: (tx: Transaction, change: Change) => Promise<Stored>
  canEdit: (user: User, stored: Stored) => boolean
  canShare: (user: User, stored: Stored) => boolean
  /** Once whom it is shared with was written: raises its revision, as lists and kept values show it. */
  touch: (tx: Transaction, id: number) => Promise<void>
}

interface SharesDeps<Stored extends { owner: string }> {
  db: Database
  directory: Pick<UserDirectory, 'listByUsernames'>
  records: Shareable<Stored>
}

/** Whom records of a kind are shared with by name (D33). */
export function createSharesService<Stored extends { owner: string }>({
  db,
  directory,
  records: { kind, ...records },
}: SharesDeps<Stored>) {
  async function toRows(tx: Transaction, { owner, shares }: { owner: string; shares: Share[] }) {
    const roles = new Map(shares.map(({ username, role }) => [username.toLowerCase(), role]))
    if (roles.size < shares.length) throw invalid('List each person once')
    if (roles.has(owner.toLowerCase())) throw invalid('The owner already has access')
    const people = await directory.listByUsernames(tx, [...roles.keys()])
    const known = new Map(people.map(({ id, username }) => [username.toLowerCase(), id]))
    const unknown = shares.flatMap(({ username }) => (known.has(username.toLowerCase()) ? [] : [username]))
    if (unknown.length > 0) throw invalid(`There is no account named ${unknown.join(', ')}`)
    return [...roles].map(([username, role]) => ({ userId: known.get(username) ?? 0, role }))
  }

  return {
    /** By username; for those who may edit the record. */
    async list({ id, user }: { id: number; user: User }): Promise<Share[]> {
      const stored = await records.findVisible(db, { id, user })
      if (!records.canEdit(user, stored)) {
        throw new AppError('forbidden', `You may not see whom this ${kind} is shared with`)
      }
      return listShares(db, { kind, id })
    },

    /** The whole new list: who is not in it loses access at once. */
    save({ id, user, shares }: { id: number; user: User; shares: Share[] }): Promise<Share[]> {
      return db.transaction(async (tx) => {
        const stored = await records.openForChange(tx, { id, user })
        if (!records.canShare(user, stored)) {
          throw new AppError('forbidden', `Only the owner may change who sees this ${kind}`)
        }
        await replaceShares(tx, { kind, id, shares: await toRows(tx, { owner: stored.owner, shares }) })
        await records.touch(tx, id)
        const saved = await listShares(tx, { kind, id })
        await createSharesEvent(tx, { kind, id, actorId: user.id, shares: saved })
        return saved
      })
    },
  }
}

function invalid(message: string): AppError {
  return new AppError('invalid', message, { details: [{ path: 'shares', message }] })
}
