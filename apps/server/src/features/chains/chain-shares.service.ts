import type { ChainShare, User } from '@catenary/contracts'
import type { Database, Transaction } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { UserDirectory } from '../accounts/user-directory.service.ts'
import type { ChainAccess } from './chain-access.service.ts'
import type { ChainRecord } from './chain-record.ts'
import { listShares, replaceShares } from './chain-shares.repository.ts'
import { canEditChain, canShareChain } from './chains.policy.ts'
import { createChainEvent, updateChain } from './chains.repository.ts'

export type ChainSharesService = ReturnType<typeof createChainSharesService>

interface ChainSharesDeps {
  db: Database
  access: ChainAccess
  directory: Pick<UserDirectory, 'listByUsernames'>
}

/** Whom a chain is shared with by name; it counts while the chain's level is `shared` (D33). */
export function createChainSharesService({ db, access, directory }: ChainSharesDeps) {
  async function toRows(tx: Transaction, { chain, shares }: { chain: ChainRecord; shares: ChainShare[] }) {
    const roles = new Map(shares.map(({ username, role }) => [username.toLowerCase(), role]))
    if (roles.size < shares.length) throw invalid('Name each person once')
    if (roles.has(chain.owner.toLowerCase())) throw invalid('The owner needs no share')
    const people = await directory.listByUsernames(tx, [...roles.keys()])
    const known = new Map(people.map(({ id, username }) => [username.toLowerCase(), id]))
    const unknown = shares.flatMap(({ username }) => (known.has(username.toLowerCase()) ? [] : [username]))
    if (unknown.length > 0) throw invalid(`There is no account named ${unknown.join(', ')}`)
    return [...roles].map(([username, role]) => ({ userId: known.get(username) ?? 0, role }))
  }

  return {
    /** By username; for those who may edit the chain. */
    async list({ id, user }: { id: number; user: User }): Promise<ChainShare[]> {
      const chain = await access.findVisible(db, { id, user })
      if (!canEditChain(user, chain)) {
        throw new AppError('forbidden', 'You may not see whom this chain is shared with')
      }
      return listShares(db, id)
    },

    /** The whole new list: who is not in it loses access at once. */
    save({ id, user, shares }: { id: number; user: User; shares: ChainShare[] }): Promise<ChainShare[]> {
      return db.transaction(async (tx) => {
        const chain = await access.openForChange(tx, { id, user })
        if (!canShareChain(user, chain)) {
          throw new AppError('forbidden', 'Only the owner may change who sees this chain')
        }
        await replaceShares(tx, { chainId: id, shares: await toRows(tx, { chain, shares }) })
        await updateChain(tx, { id })
        const saved = await listShares(tx, id)
        const event = { actorId: user.id, action: 'chain.shares_changed', details: { shares: saved } }
        await createChainEvent(tx, { ...event, chainId: id })
        return saved
      })
    },
  }
}

function invalid(message: string): AppError {
  return new AppError('invalid', message, { details: [{ path: 'shares', message }] })
}
